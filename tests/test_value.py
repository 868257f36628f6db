"""`Value`: a frozen, keyword-only record without the price of `dataclasses`."""

from __future__ import annotations

import pytest

from rulez_py.analysis import Value


class Point(Value):
    x: int
    y: int = 0
    """A docstring is not a field."""

    @property
    def sum(self) -> int:
        return self.x + self.y


class Other(Value):
    x: int
    y: int = 0


def test_fields_are_the_annotated_names_and_defaults_fill_in() -> None:
    assert Point(x=1).as_dict() == {"x": 1, "y": 0}
    assert Point(x=1, y=2).sum == 3


def test_as_dict_keeps_the_order_of_declaration() -> None:
    assert list(Point(y=2, x=1).as_dict()) == ["x", "y"]


def test_a_missing_field_is_named() -> None:
    with pytest.raises(TypeError, match="Point needs 'x'"):
        Point(y=1)  # type: ignore[call-arg]


def test_an_unknown_field_is_named() -> None:
    with pytest.raises(TypeError, match="Point has no field 'z'"):
        Point(x=1, z=1)  # type: ignore[call-arg]


def test_a_property_is_not_a_field() -> None:
    with pytest.raises(TypeError, match="no field 'sum'"):
        Point(x=1, sum=1)  # type: ignore[call-arg]


def test_a_field_cannot_be_set_or_deleted() -> None:
    point = Point(x=1)
    with pytest.raises(AttributeError, match=r"Point\.x cannot be changed; use replace\(\)"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match=r"Point\.x cannot be deleted"):
        del point.x
    with pytest.raises(AttributeError):
        point.new = 1
    assert point == Point(x=1)


def test_replace_copies_and_leaves_the_original_alone() -> None:
    point = Point(x=1, y=5)
    assert point.replace(x=2) == Point(x=2, y=5)
    assert point == Point(x=1, y=5)


def test_replace_refuses_an_unknown_field() -> None:
    with pytest.raises(TypeError, match="no field 'z'"):
        Point(x=1).replace(z=1)


def test_equality_is_of_type_and_fields() -> None:
    assert Point(x=1) == Point(x=1, y=0)
    assert Point(x=1) != Point(x=2)
    assert Point(x=1) != Other(x=1)
    assert Point(x=1) != {"x": 1, "y": 0}


def test_equal_values_hash_alike() -> None:
    assert len({Point(x=1), Point(x=1, y=0), Point(x=2)}) == 2


def test_a_value_holding_something_mutable_has_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Point(x=[]))  # type: ignore[arg-type]


def test_repr_is_the_call_that_makes_it() -> None:
    assert repr(Point(x=1)) == "Point(x=1, y=0)"
    assert eval(repr(Point(x=1, y=2))) == Point(x=1, y=2)
