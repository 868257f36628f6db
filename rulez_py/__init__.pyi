from rulez_py.integrations import Call as Call
from rulez_py.integrations import Decision as Decision
from rulez_py.integrations import InvalidPolicy as InvalidPolicy
from rulez_py.integrations import Policy as Policy
from rulez_py.integrations import Prompt as Prompt

__version__: str
__all__ = ["Call", "Decision", "InvalidPolicy", "Policy", "Prompt", "__version__"]
