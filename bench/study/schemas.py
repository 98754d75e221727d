"""schemas.py - holds what xstep prints as JSON against the schemas of docs/schema."""
import json

import e2e

try:
    import jsonschema
except ImportError:
    jsonschema = None  # apt-get install python3-jsonschema


def check(case, name, told):
    """Fails the test `case` unless `told` is as docs/schema/NAME.schema.json says; without jsonschema it may be."""
    if not jsonschema:
        return
    schema = json.loads((e2e.TOP / f"docs/schema/{name}.schema.json").read_text())
    wrong = list(jsonschema.Draft202012Validator(schema).iter_errors(told))
    if wrong:
        case.fail(f"docs/schema/{name}.schema.json: " + "; ".join(
            f"{one.json_path}: {one.message[:300]}" for one in wrong[:5]))
