from rulez_py.guards import Call as Call
from rulez_py.guards import Decision as Decision
from rulez_py.guards import InvalidPolicy as InvalidPolicy
from rulez_py.guards import Policy as Policy
from rulez_py.guards import Prompt as Prompt

__version__: str
__all__ = ["Call", "Decision", "InvalidPolicy", "Policy", "Prompt", "__version__"]
