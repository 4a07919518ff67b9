"""An example of each command, which its help ends with. Loaded only to show help."""

EXAMPLES = {
    "new": "new policies --install git+https://git.example.org/tuning/setpoint@v1",
    "plan": "plan web.tune --group frontend",
    "compile": "compile web.tune -o out",
    "fleet": "fleet site.tune --inventory hosts.csv -o fleet",
    "check": "check policies --inventory hosts.csv --since origin/main",
    "audit": "audit /proc/cmdline -e 'goal latency; platform r740; os rhel 9'",
    "capture": "capture --ssh web1 web2 -o captures",
    "adopt": "adopt captures/web1.json -o web.tune",
    "verify": "verify web.tune --against captures",
    "apply": "apply out --redfish https://bmc1.example.org --ssh root@web1",
    "twin": "twin captures/bmc1.json --port 8443 -o twins",
    "diff": "diff origin/main..HEAD policies",
    "compare": "compare 'goal latency; platform r740' 'goal efficiency; platform r740'",
    "matrix": "matrix -e 'platform r650; os debian 12; workload storage'",
    "test": "test policies --junit expectations.xml",
    "waivers": "waivers policies",
    "explain": "explain web.tune turbo",
    "fmt": "fmt --check policies",
    "lsp": "lsp",
    "kb": "kb show turbo",
    "kb list": "kb list settings",
    "kb show": "kb show turbo",
    "kb check": "kb check site",
    "kb disputes": "kb disputes",
    "kb diff": "kb diff HEAD:site site",
    "kb import": "kb import registry.json",
    "kb coverage": "kb coverage policies",
    "kb pins": "kb pins",
    "help": "help kb check",
    "completion": "completion bash",
}
"""The words behind `setpoint`, by the command."""


def example(prog: str) -> str:
    """The lines that the help of a program ends with; "" if it has no example."""
    words = EXAMPLES.get(prog.removeprefix("setpoint "), "")
    return f"\nexample:\n  setpoint {words}\n" if words else ""
