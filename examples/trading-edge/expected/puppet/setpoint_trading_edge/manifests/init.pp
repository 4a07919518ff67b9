# @summary A Setpoint policy: kernel arguments, cpuspeed service, tuned profile, BIOS settings
#
# Brings a server to the policy trading-edge.
#
# It never restarts the server. What takes effect with the next start is set, and a message says that a restart is
# pending. The values are in data/plans, with their reasons; what may be changed is in data/common.yaml.
#
# @example On the servers that the policy is for
#   include setpoint_trading_edge
#
# @param folder
#   The folder for the scripts that Puppet calls.
#
# @param state_folder
#   The folder in which old values and notes are kept.
#
# @param path
#   Where programs are looked for.
#
# @param check_product
#   Whether the catalog is refused where the product name of the server is not what the plan is for.
#
# @param check_sockets
#   Whether the catalog is refused where the processor sockets of the server are not what the plan is for.
#
# @param check_system
#   Whether the catalog is refused where the operating system of the server is not what the plan is for.
#
# @param manage_tuned
#   Whether Puppet sees to the profile of tuned.
#
# @param tuned_correct_drift
#   Whether the active profile is applied again when values have drifted from it.
#
# @param syscfg
#   The syscfg of Dell's Deployment Toolkit.
#
# @param operating_systems
#   The systems that are accepted: releases by the fact os.family. On any other the catalog is refused; where it is empty,
#   none is. By default those that the plan was compiled for.
#
# @param kernel_arguments_by
#   How the kernel arguments get to the boot loader. By default as the plan says for the family of systems.
#
# @param cpuspeed
#   What the cpuspeed service is to do, now and from the next start on. By default what the plan says.
#
# @param tuned_folders
#   The folders that the profile is put in; there is more than one where the version of tuned decides which it reads. By
#   default those of the plan.
#
# @param manage_firmware
#   Whether Puppet sees to the BIOS settings, which needs the tool on the server. By default where Redfish does not serve them.
#
# @param setup_password_file
#   A file on the server that has the setup password of its BIOS on the first line. Only the path is in the catalog.
#
class setpoint_trading_edge (
  Setpoint_trading_edge::Path $folder,
  Setpoint_trading_edge::Path $state_folder,
  Array[Setpoint_trading_edge::Path, 1] $path,
  Boolean $check_product,
  Boolean $check_sockets,
  Boolean $check_system,
  Boolean $manage_tuned,
  Boolean $tuned_correct_drift,
  Setpoint_trading_edge::Path $syscfg,
  Optional[Hash[String[1], Array[String[1], 1]]] $operating_systems = undef,
  Optional[Enum['grubby', 'by-hand']] $kernel_arguments_by = undef,
  Optional[Enum['running', 'stopped', 'unmanaged']] $cpuspeed = undef,
  Optional[Array[Setpoint_trading_edge::Path, 1]] $tuned_folders = undef,
  Optional[Boolean] $manage_firmware = undef,
  Optional[Setpoint_trading_edge::Path] $setup_password_file = undef,
) {
  $plans = lookup(
    "${module_name}::plans",
    Hash[String[1], Setpoint_trading_edge::Plan, 1],
    'hash'
  )
  $plan_name = 'trading-edge'
  $plan = $plans[$plan_name]
  $files = "puppet:///modules/${module_name}/${plan_name}"

  $os = $facts['os']
  $accepted = $operating_systems.lest || { $plan['operating_systems'] }
  $releases = $accepted[$os['family']]
  unless $accepted.empty or ($releases =~ Array and $os['release']['major'] in $releases) {
    fail("${module_name} was compiled for ${accepted}, and this server has ${os['name']} ${os['release']['major']}")
  }

  # Is this a server that the plan is for?
  $identity = $plan['identity']

  # The product name of its DMI table.
  $product = $facts.get('dmi.product.name', 'none')
  if $check_product and 'product' in $identity and !($product in $identity['product']['names']) {
    $product_fact = "${identity['product']['fact']} ${identity['product']['value']}"
    $product_wanted = "${identity['product']['verb']} ${product_fact} (${identity['product']['names'].join(' or ')})"
    $product_help = "state the right ${identity['product']['fact']} and compile again, or set check_product to false"
    fail("${module_name}: this server reports the product ${product}, and the policy ${product_wanted}: ${product_help}")
  }

  # How many processors it has.
  $sockets = $facts.get('processors.physicalcount', 0)
  if $check_sockets and 'sockets' in $identity and !(String($sockets) in $identity['sockets']['names']) {
    $sockets_wanted = "${identity['sockets']['verb']} ${identity['sockets']['value']}"
    $sockets_help = "state \"${identity['sockets']['fact']} ${sockets}\" and compile again, or set check_sockets to false"
    fail("${module_name}: this server reports ${sockets} processor socket(s), and the policy ${sockets_wanted}: ${sockets_help}")
  }

  # Its operating system, as the kernel names it.
  if $check_system and 'system' in $identity and !($facts['kernel'] in $identity['system']['names']) {
    $system_wanted = "${identity['system']['verb']} ${identity['system']['fact']} ${identity['system']['value']}"
    $system_help = "state the right ${identity['system']['fact']} and compile again, or set check_system to false"
    fail("${module_name}: this server reports the system ${facts['kernel']}, and the policy ${system_wanted}: ${system_help}")
  }

  # The scripts look as well, but for what is not to be compared.
  $ignored = [
    [$check_product, 'product'],
    [$check_sockets, 'sockets'],
    [$check_system, 'system'],
    [!$accepted.empty, 'distribution'],
  ].filter |$check| { !$check[0] }.map |$check| { $check[1] }
  $sh = $ignored ? {
    []      => 'sh',
    default => "SETPOINT_IGNORE='${ignored.join(' ')}' sh",
  }

  exec { "mkdir -p ${folder}":
    path    => $path,
    creates => $folder,
  }

  -> file { $folder:
    ensure => directory,
    mode   => '0755',
  }

  # The kernel arguments. Whether they are right is asked of the boot loader: the running kernel has them only after a
  # restart.
  $kernel_arguments = $plan['kernel_arguments']
  if $kernel_arguments {
    $compare_arguments = "${folder}/${kernel_arguments['script']}"
    file { $compare_arguments:
      ensure => file,
      source => "${files}/kernel-args/${kernel_arguments['script']}",
      mode   => '0755',
    }

    # Where the plan is for one family of systems there is one way, whatever the server calls its family.
    $ways = $kernel_arguments['ways']
    $ways_here = $ways.filter |$name, $family| { $ways.length == 1 or $family == $os['family'] }.keys
    $way = $kernel_arguments_by.lest || { [*$ways_here, 'by-hand'][0] }
    unless $way in [*$ways.keys, 'by-hand'] {
      fail("${module_name}: kernel_arguments_by is ${way}, and plan ${plan_name} knows ${ways.keys.join(', ')} and by-hand")
    }
    $boot_loader_has = $way ? {
      'grubby'  => "${sh} ${compare_arguments} --next",
      'by-hand' => undef,
    }

    case $way {
      'grubby': {
        exec { 'setpoint: kernel arguments':
          command   => "${sh} ${compare_arguments} --state ${state_folder}",
          unless    => $boot_loader_has,
          path      => $path,
          provider  => shell,
          logoutput => true,
          require   => File[$compare_arguments],
          notify    => Exec['setpoint: restart'],
        }
      }
      default: {
        warning("${module_name}: the kernel arguments are left to you; ${compare_arguments} --verify compares them")
      }
    }
  } else {
    $boot_loader_has = undef
  }

  $service = $cpuspeed.lest || { $plan['cpuspeed'] }
  if $service and $service != 'unmanaged' {
    service { 'cpuspeed':
      ensure => $service,
      enable => $service == 'running',
    }
  }

  # The profile of tuned. The copy is of what tuned has read: it does not look at its files by itself. What was active before
  # the first profile of Setpoint is noted, for when a plan has none.
  $tuned = $plan['tuned']
  $sets_tuned = $tuned and $manage_tuned
  $before = "${folder}/profile.before"
  $is_setpoint = "tuned-adm active | grep -q '^Current active profile: setpoint-'"
  if $sets_tuned {
    $parents = $tuned_folders.lest || { $tuned['folders'] }
    $profile = "${parents[0]}/${tuned['profile']}"
    $active = "tuned-adm active | grep -qxF 'Current active profile: ${tuned['profile']}'"
    $read = "${folder}/${tuned['profile']}.read"
    $as_profiled = "${sh} ${profile}/ktune.sh status"

    $parents.each |$parent| {
      exec { "mkdir -p ${parent}":
        path    => $path,
        creates => $parent,
      }

      -> file { "${parent}/${tuned['profile']}":
        ensure => directory,
        mode   => '0755',
      }

      $tuned.get('files', {}).each |$name, $mode| {
        file { "${parent}/${tuned['profile']}/${name}":
          ensure => file,
          source => "${files}/tuned/${name}",
          mode   => $mode,
          before => Exec['setpoint: tuned profile'],
        }
      }
    }

    $note = "${is_setpoint} || tuned-adm active | sed -n 's/^Current active profile: //p' > ${before}"
    $settled = $tuned_correct_drift ? {
      true  => "${active} && ${as_profiled}",
      false => $active,
    }
    exec { 'setpoint: tuned profile':
      command   => "${note}; tuned-adm profile ${tuned['profile']} && cat ${profile}/* > ${read}",
      unless    => "cat ${profile}/* | cmp -s - ${read} && ${settled}",
      path      => $path,
      provider  => shell,
      logoutput => on_failure,
      require   => File[$folder],
    }
  }

  # The BIOS settings. What is set counts as right, though it takes effect with the next start only.
  $firmware = "${sh} ${folder}/apply.sh --state ${state_folder}"
  $sets_firmware = 'manage_firmware' in $plan and $manage_firmware.lest || { $plan['manage_firmware'] }
  if $sets_firmware {
    $password = $setup_password_file ? {
      undef   => '',
      default => "SETPOINT_SETUP_PASSWORD=\"$(head -n 1 ${setup_password_file})\" ",
    }

    file { "${folder}/apply.sh":
      ensure => file,
      source => "${files}/syscfg/apply.sh",
      mode   => '0755',
    }

    -> exec { 'setpoint: BIOS settings':
      command     => "${password}${firmware}",
      unless      => "${firmware} --verify",
      environment => ["SYSCFG=${syscfg}"],
      path        => $path,
      provider    => shell,
      logoutput   => true,
      timeout     => 1800,
      notify      => Exec['setpoint: restart'],
    }
  }

  # What there is to compare, for status.sh.
  $commands = {
    'kernel_arguments' => $kernel_arguments ? {
      undef   => undef,
      default => "${sh} ${compare_arguments} --verify",
    },
    'cpuspeed'         => $service ? {
      'running' => 'service_is cpuspeed running',
      'stopped' => 'service_is cpuspeed stopped',
      default   => undef,
    },
    'tuned'            => $sets_tuned ? {
      true  => "needs tuned-adm || return 4; ${active} && ${as_profiled} || return 3",
      false => undef,
    },
    'firmware'         => $sets_firmware ? {
      true  => "SYSCFG=${syscfg} ${firmware} --verify",
      false => undef,
    },
  }
  $reports = {
    'kernel_arguments' => $kernel_arguments ? {
      undef   => undef,
      default => "${sh} ${compare_arguments} --verify --json",
    },
    'firmware'         => $sets_firmware ? {
      true  => "SYSCFG=${syscfg} ${firmware} --verify --json",
      false => undef,
    },
  }
  file { "${folder}/status.sh":
    ensure  => file,
    content => epp("${module_name}/status.sh.epp", {
        'plan'            => $plan_name,
        'path'            => $path,
        'commands'        => $commands.filter |$part, $command| { $command =~ NotUndef },
        'reports'         => $reports.filter |$part, $command| { $command =~ NotUndef },
        'boot_loader_has' => $boot_loader_has,
    }),
    mode    => '0755',
  }

  # Called by what takes effect with the next start only, in the run that has changed it.
  -> exec { 'setpoint: restart':
    command     => "sh ${folder}/status.sh --restart",
    returns     => [0, 3, 4],
    path        => $path,
    provider    => shell,
    logoutput   => true,
    loglevel    => warning,
    refreshonly => true,
  }
}
