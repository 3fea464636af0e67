"""Expressions that would run something, reach something or print words of their own."""

from __future__ import annotations

_D = 'delta("latency", "RR1(1kB)")'
_PICKLE = (
    r"""parse_raw("cos\nsystem\n(S'id > marker'\ntR.", """
    """proto="pickle", allow_pickle=True)"""
)
ATTRIBUTES = (
    "__class__", "__class__.__mro__", "__class__.__base__.__subclasses__()",
    "__init__.__globals__", "__init__.__globals__.__builtins__", "__dict__",
    "__reduce__()", "__reduce_ex__(2)", "__getattribute__('x')", "__module__",
    "__doc__", "__hash__()", "__sizeof__()", "__dir__()", "__format__('')", "facts",
    "facts[0]", "facts[0].lineage.files", "single", "single.key", "styled('size')",
    "style", "text", "sized()", "format('x')", "mro()", "__init_subclass__()",
    "__subclasshook__()", "__dataclass_fields__", "__replace__(style='size')",
    "__match_args__", "__setattr__('style', 'x')",
)  # fmt: skip
MODELS = (
    _PICKLE, "parse_file('/etc/passwd')", "construct()", "model_construct()", "json()",
    "dict()", "copy()", "model_dump()", "model_dump_json()", "model_copy(deep=true)",
    "model_validate({})", "model_validate_json('{}')", "from_orm(1)", "schema()",
    "update_forward_refs()", "validate(1)", "gates.little", "hardware['CPUs']",
    "cpu_of('x')", "files", "title.format('x')", "model_config",
    "__pydantic_core_schema__", "__pydantic_validator__.validate_python(1)",
    "model_fields_set", "model_rebuild()",
)  # fmt: skip
NAMES = (
    "delta", "self", "loop", "super()", "caller()", "varargs", "kwargs", "range(9)",
    "dict(a=1)", "lipsum()", "cycler('a')", "joiner()", "namespace(a=1)", "config",
    "request", "environment", "context", "open('/etc/passwd')", "eval('1')",
    "exec('1')", "__import__('os')", "getattr(delta, 'x')", "print('x')", "input()",
    "globals()", "locals()", "vars()", "type('x')", "object()", "campaign('lab')",
    "debug()", "_('x')", "gettext('x')", "ngettext('x', 'y', 2)", "true", "false",
    "none", "True", "None", "self._TemplateReference__context", "self.__init__",
    "undefined_name", "limitt()", "Limit()", "values()", "scope", "os", "sys.modules",
    "delta.__globals__", "delta.__func__.__globals__", "delta.__self__.scope",
    "limit.__call__()",
)  # fmt: skip
OPERATORS = (
    "'x'*10**9", "'x' * 1000000000", "9**9**9", "2**99999999", "1+1", "1-1", "4/2",
    "4//3", "4%3", "'%999999999d' % 1", "-1", "+1", "'a' ~ 'b'", "limit() ~ limit()",
    "limit() + limit()", "limit() * 2", "1 == 1", "limit() == '10%'", "1 < 2 < 3",
    "'a' in 'abc'", "'a' not in 'abc'", "true and limit()", "false or limit()",
    "not limit()", "limit() if true", "limit() if true else limit()", "1 is odd",
    "limit() is defined", "limit() is string", "limit() is callable",
    "limit is callable", "[1]", "[]", "()", "{}", "(1, 2)", "limit(), limit()",
    "{'a': 1}", "['37%'][0]", "limit()[0]", "limit()[0:2]", "limit()['x']",
    "'37%'[::-1]", "[limit()] | first", "range(99999999) | list", "'a' 'b'", "'37%'",
    "37", "3.7", "1e9", "'<script>'", "'[99%]{.value key=\"a\"}'",
)  # fmt: skip
FILTERS = (
    "attr('__class__')", "map('upper')", "map(attribute='x')", "format('x')", "safe",
    "join", "list", "tojson", "pprint", "xmlattr", "urlize", "string", "int", "first",
    "last", "length", "replace('a', 'b')", "reverse", "select('x')", "sort", "sum",
    "groupby('x')", "batch(3)", "default('37%')", "d('37%')", "e", "escape", "upper",
    "size(1)", "size(a=1)", "words(3)", "span | attr('facts')", "size.upper",
)  # fmt: skip
ARGUMENTS = (
    "limit(study=self)", "limit(limit())", "limit(limit)", "limit(['speed'])",
    "limit({'a': 1})", "limit(*['speed'])", "limit(**{'study': 'speed'})",
    "limit(study='sp' ~ 'eed')", "limit('a' if true else 'b')",
    "limit('speed'.upper())", "limit(-1)", "limit(1)", "limit(1.5)", "limit(true)",
    "limit(study=1e999)", "limit('speed', 'speed')", "limit(studdy='speed')",
    "limit(study='speed', study='x')", "limit('speed' | upper)", "limit(None, None)",
    "limit('" + "x" * 201 + "')", "limit(" + "9" * 5000 + ")",
    "limit(" + "9" * 900 + ")", r"limit('\ud800')", r"limit('\x00')",
    "limit('__class__')", "limit(self.x)", "limit(a.b.c)", "limit(x)", "limit((1))",
    "limit(1,)", "limit(0x" + "f" * 900 + ")", "count_runs(state='{}')",
    "verdicts('{0.__class__}')", "delta('%s', '%n')", "workload_name('RR1(1kB)', 'x')",
    "workload_name('{shape}')", "hardware('lab', '__class__')",
    "gate('lab', '__doc__')", "gate('lab', 'model_dump')", "published('../x')",
    "hardware_table('/etc/passwd')",
)  # fmt: skip
SYNTAX = (
    "", " ", "(", ")", "limit(", "limit)", "limit() limit()", "limit();limit()", "|",
    "limit() |", "| words", "limit() | | words", "limit().", "limit()()", "limit()()()",
    "(limit)().x", "limit() = 1", "limit := 1", "lambda: 1", "x for x in y", "@",
    "`id`", "$(id)", "%}", "{%", "# }}", "'", '"', "limit('", "limit('\n", "a.b.c.d()",
    "..", "...", "*", "**", "import os", "\\", "\u202elimit()", "(" * 400, "[" * 400,
    "-" * 900 + "1", "limit(" * 100, "not " * 200 + "1", "limit() | words" * 200,
    "x" * 9000,
)  # fmt: skip
HOSTILE = (
    *(f"{_D}.{name}" for name in ATTRIBUTES),
    *(f"campaign('lab').{name}" for name in MODELS),
    *(f"hardware('lab', 'CPC').{name}" for name in MODELS[:8]),
    *NAMES,
    *OPERATORS,
    *(f"{_D} | {name}" for name in FILTERS),
    *ARGUMENTS,
    *SYNTAX,
)
STATEMENTS = (
    "{% include '/etc/passwd' %}", "{% import 'os' as os %}", "{% set x = 1 %}",
    "{% for i in range(9) %}x{% endfor %}", "{% if true %}37%{% endif %}",
    "{% macro m() %}37%{% endmacro %}{{ m() }}", "{% raw %}{{ limit() }}{% endraw %}",
    "{% extends 'x' %}", "{% block a %}37%{% endblock %}",
    "{% call limit() %}{% endcall %}", "{% filter upper %}a{% endfilter %}",
    "{% with a = 1 %}{% endwith %}", "{% print 37 %}", "{% do x %}",
    "{% autoescape true %}a{% endautoescape %}", "{%- set x = 1 -%}", "{% %}",
    "`{% include '/etc/passwd' %}`", "```\n{% raw %}\n```", "{{ limit()",
    "{{{ limit() }}}",
)  # fmt: skip
