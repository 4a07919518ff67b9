# @summary A plan: the servers that it is for, and the parts that they get
type Setpoint_trading_edge::Plan = Struct[{
  Optional['group']             => String[1],
  Optional['host']              => String[1],
  Optional['nothing']           => String[1],
  Optional['operating_systems'] => Hash[String[1], Array[String[1], 1]],
  Optional['identity']          => Hash[
    Enum['product', 'sockets', 'system', 'kernel'],
    Setpoint_trading_edge::Check
  ],
  Optional['kernel_arguments']  => Hash[
    Enum['grubby', 'drop-in', 'pbl'],
    String[1],
    1
  ],
  Optional['cpuspeed']          => Enum['running', 'stopped'],
  Optional['tuned']             => Pattern[/\A[A-Za-z0-9_.+-]+\z/],
  Optional['firmware']          => Enum['syscfg'],
  Optional['manage_firmware']   => Boolean,
}]
