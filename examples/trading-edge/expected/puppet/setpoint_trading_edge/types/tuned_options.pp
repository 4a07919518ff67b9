# @summary Sections of a tuned.conf, each with its options
type Setpoint_trading_edge::Tuned_options = Hash[
  Pattern[/\A[A-Za-z0-9_.-]+\z/],
  Hash[Pattern[/\A[A-Za-z0-9_.\/-]+\z/], Pattern[/\A[^\r\n]+\z/]]
]
