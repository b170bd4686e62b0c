from . import res_company
from . import res_config_settings
