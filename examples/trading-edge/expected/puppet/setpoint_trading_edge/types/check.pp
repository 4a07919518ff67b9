# @summary What a server must report of one kind, and the fact of the policy for which it must
type Setpoint_trading_edge::Check = Struct[{
  'fact'  => String[1],
  'value' => String[1],
  'verb'  => Enum['states', 'implies', 'assumes'],
  'names' => Array[String[1]],
  'since' => Array[String[1]],
}]
