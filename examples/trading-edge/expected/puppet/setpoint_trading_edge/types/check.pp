# @summary A property that a server must report, and the fact of the policy that requires it
type Setpoint_trading_edge::Check = Struct[{
  'fact'  => String[1],
  'value' => String[1],
  'verb'  => Enum['states', 'implies', 'assumes'],
  'names' => Array[String[1]],
  'since' => Array[String[1]],
}]
