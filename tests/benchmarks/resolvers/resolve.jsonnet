// jsonnet --tla-code-file extract=EXTRACT --tla-code-file hosts=HOSTS resolve.jsonnet
local holds(condition, state) =
  std.all([std.member(condition[name], std.get(state, name, '')) for name in std.objectFields(condition)]);

local decide(setting, state) =
  local limits = [limit.allowed for limit in setting.limits if holds(limit.when, state)];
  local possible = [value for value in setting.values if std.all([std.member(allowed, value) for allowed in limits])];
  local hasDefault = std.member(possible, setting.default);
  local advised = [
    advice.value
    for advice in setting.advice
    if std.member(possible, advice.value)
       && !(advice.weak && hasDefault)
       && holds(advice.when, state)
       && !std.any([holds(condition, state) for condition in advice.unless])
  ];
  if advised != [] then advised[0] else if hasDefault then setting.default else possible[0];

local resolve(extract, host) =
  local pass(decided, names) =
    local state = host.facts + decided;
    decided + { [name]: decide(extract.settings[name], state) for name in names if !(name in host.sets) };
  std.foldl(pass, extract.passes, host.sets);

function(extract, hosts) std.mapWithKey(function(_, host) resolve(extract.extract, host), hosts.hosts)
