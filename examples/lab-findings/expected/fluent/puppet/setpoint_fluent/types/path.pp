# @summary An absolute path that needs no quotes in a shell
type Setpoint_fluent::Path = Pattern[/\A(\/[A-Za-z0-9_.+-]+)+\z/]
