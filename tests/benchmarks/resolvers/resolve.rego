# opa eval --data EXTRACT --data resolve.rego --input HOSTS --format raw data.resolve.answers
package resolve

answers[name] := settings(host) if some name, host in input.hosts

# Rules cannot be recursive, so the passes are written out: as many as the extract has.
settings(host) := decided if {
	count(data.extract.passes) == 3
	first := pass(0, host, host.sets)
	second := pass(1, host, first)
	decided := pass(2, host, second)
}

pass(number, host, decided) := object.union(decided, {name: value |
	some name in data.extract.passes[number]
	not host.sets[name]
	value := decide(data.extract.settings[name], state)
}) if {
	state := object.union(host.facts, decided)
}

decide(setting, state) := array.concat(advised, unadvised(setting, possible))[0] if {
	possible := [value |
		some value in setting.values
		not is_excluded(value, setting, state)
	]
	advised := [advice.value |
		some advice in setting.advice
		advice.value in possible
		not is_untested(advice, setting, possible)
		holds(advice.when, state)
		not is_withdrawn(advice, state)
	]
}

unadvised(setting, possible) := [setting["default"]] if setting["default"] in possible
else := possible

is_excluded(value, setting, state) if {
	some limit in setting.limits
	not value in limit.allowed
	holds(limit.when, state)
}

is_untested(advice, setting, possible) if {
	advice.weak
	setting["default"] in possible
}

is_withdrawn(advice, state) if {
	some condition in advice.unless
	holds(condition, state)
}

holds(condition, state) if {
	every name, values in condition { object.get(state, name, "") in values }
}
