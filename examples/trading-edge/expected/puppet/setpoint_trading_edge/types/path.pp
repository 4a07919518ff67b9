# @summary An absolute path that needs no quotes in a shell
type Setpoint_trading_edge::Path = Pattern[/\A(\/[A-Za-z0-9_.+-]+)+\z/]
