# @summary A plan: the servers that it is for, and what they get. What it has no word for is left out
type Setpoint_trading_edge::Plan = Struct[{
  Optional['group']             => String[1],
  Optional['host']              => String[1],
  Optional['nothing']           => String[1],
  Optional['operating_systems'] => Hash[String[1], Array[String[1], 1]],
  Optional['identity']          => Hash[
    Enum['product', 'sockets', 'system', 'kernel'],
    Setpoint_trading_edge::Check
  ],
  Optional['kernel_arguments']  => Struct[{
    'script' => Enum['grubby.sh', 'verify.sh'],
    'ways'   => Hash[Enum['grubby', 'grub-drop-in'], String[1], 1],
  }],
  Optional['cpuspeed']          => Enum['running', 'stopped'],
  Optional['tuned']             => Struct[{
    'profile'           => Pattern[/\A[A-Za-z0-9_.+-]+\z/],
    'folders'           => Array[Setpoint_trading_edge::Path, 1],
    Optional['options'] => Setpoint_trading_edge::Tuned_options,
    Optional['files']   => Hash[Pattern[/\A[A-Za-z0-9_.-]+\z/], Enum['0644', '0755']],
  }],
  Optional['manage_firmware']   => Boolean,
}]
