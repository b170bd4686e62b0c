"""As much of Odoo as the addon uses, in memory: recordsets of one record, fields and search."""

import sys
import types
from datetime import datetime


class UserError(Exception):
    pass


class _Field:
    def __init__(self, *_args, default=False, **options):
        self.default = default
        self.options = options


class _Datetime:
    now = staticmethod(lambda: datetime(2026, 11, 21, 4, 5))
    to_string = staticmethod(lambda moment: moment.strftime("%Y-%m-%d %H:%M:%S"))


class Model:
    """A class of `models`; attributes that are fields begin with their defaults."""

    def __init__(self, **values):
        for kind in type(self).__mro__:
            for name, field in vars(kind).items():
                if isinstance(field, _Field):
                    setattr(self, name, field.default)
        for name, value in values.items():
            setattr(self, name, value)

    def __getitem__(self, name):
        return getattr(self, name)

    def ensure_one(self):
        return self

    def sudo(self):
        return self

    def write(self, values):
        for name, value in values.items():
            setattr(self, name, value)


class Rate(Model):
    """`res.currency.rate`: what is stored is `rate`; the other two are other ways to say it."""

    unique = ("name", "currency_id", "company_id")

    def __setattr__(self, name, value):
        if name == "inverse_company_rate":
            name, value = "rate", 1.0 / value
        if name == "company_rate":
            name = "rate"
        object.__setattr__(self, name, value)

    @property
    def company_rate(self):
        return self.rate

    @property
    def inverse_company_rate(self):
        return 1.0 / self.rate


class Table:
    """`env[...]` of one model: `search` by `=` and `!=`, and `create`."""

    def __init__(self, kind, records=()):
        self.kind = kind
        self.records = list(records)
        self.writes = 0

    def search(self, domain):
        return [one for one in self.records if all(_holds(one, *term) for term in domain)]

    def create(self, values):
        record = self.kind(**values)
        unique = getattr(self.kind, "unique", ())
        for other in self.records:
            if unique and all(getattr(other, name) == getattr(record, name) for name in unique):
                raise AssertionError("Only one currency rate per day allowed!")
        self.records.append(record)
        return record


def _holds(record, name, operator, value):
    found = getattr(record, name)
    found = getattr(found, "id", found)
    return {"=": found == value, "!=": found != value}[operator]


def install():
    """Puts the stub where `import odoo` finds it."""
    odoo = types.ModuleType("odoo")
    odoo._ = lambda text, *args, **named: text % (named or args)
    odoo.api = types.SimpleNamespace(model=lambda method: method)
    odoo.fields = types.SimpleNamespace(Char=_Field, Selection=_Field, Datetime=_Datetime)
    odoo.models = types.SimpleNamespace(Model=Model, TransientModel=Model)
    exceptions = types.ModuleType("odoo.exceptions")
    exceptions.UserError = UserError
    odoo.exceptions = exceptions
    odoo.release = types.SimpleNamespace(version_info=(18, 0, 0, "final", 0, ""))
    sys.modules["odoo"] = odoo
    sys.modules["odoo.exceptions"] = exceptions
