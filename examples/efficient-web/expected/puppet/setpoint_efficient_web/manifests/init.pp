# @summary A Setpoint policy: kernel arguments, tuned profile
#
# Applies the policy efficient-web to a server.
#
# It never restarts the server. If a change takes effect with the next start, a warning says that a restart is pending. The
# README has the values and their sources; data/common.yaml has the defaults of the parameters.
#
# @example On the servers that the policy is for
#   include setpoint_efficient_web
#
# @example Roll back, in the Hiera of a node
#   setpoint_efficient_web::ensure: 'absent'
#
# @param ensure
#   present: the policy is in force. absent: each part is rolled back from its snapshots, to what it was before the first change
#   by Setpoint.
#
# @param folder
#   The folder for the program that Puppet calls, and its plans.
#
# @param state_folder
#   The folder for the snapshots.
#
# @param path
#   The folders of programs.
#
# @param check_product
#   Whether the catalog is refused if the plan is for another product name.
#
# @param check_sockets
#   Whether the catalog is refused if the plan is for another number of processor sockets.
#
# @param check_system
#   Whether the catalog is refused if the plan is for another operating system.
#
# @param manage_tuned
#   Whether Puppet manages the tuned profile.
#
# @param tuned_correct_drift
#   Whether the active profile is activated again when values have drifted from it.
#
# @param racadm
#   The racadm on the server, which sets the BIOS settings by the management controller, without credentials.
#
# @param operating_systems
#   The accepted systems: releases by the fact os.family. On any other the catalog is refused; if it is empty, all are
#   accepted. By default those that the plan was compiled for.
#
# @param kernel_arguments_by
#   The way to the boot loader. By default that of the family of systems. `by-hand` leaves the kernel arguments to you.
#
# @param manage_firmware
#   Whether Puppet manages the BIOS settings, which needs the tool on the server. By default only if Redfish does not.
#
class setpoint_efficient_web (
  Enum['present', 'absent'] $ensure,
  Setpoint_efficient_web::Path $folder,
  Setpoint_efficient_web::Path $state_folder,
  Array[Setpoint_efficient_web::Path, 1] $path,
  Boolean $check_product,
  Boolean $check_sockets,
  Boolean $check_system,
  Boolean $manage_tuned,
  Boolean $tuned_correct_drift,
  Setpoint_efficient_web::Path $racadm,
  Optional[Hash[String[1], Array[String[1], 1]]] $operating_systems = undef,
  Optional[Enum['grubby', 'by-hand']] $kernel_arguments_by = undef,
  Optional[Boolean] $manage_firmware = undef,
) {
  $plans = lookup(
    "${module_name}::plans",
    Hash[String[1], Setpoint_efficient_web::Plan, 1],
    'hash'
  )
  $plan_name = 'efficient-web'
  $plan = $plans[$plan_name]
  $files = "puppet:///modules/${module_name}/${plan_name}"

  # A rollback restores what was found on this server, whatever it is.
  $os = $facts['os']
  $accepted = $operating_systems.lest || { $plan['operating_systems'] }
  $releases = $accepted[$os['family']]
  $is_other_release = !$accepted.empty and !($releases =~ Array and $os['release']['major'] in $releases)
  if $is_other_release and $ensure == 'present' {
    fail("${module_name} was compiled for ${accepted}, and this server has ${os['name']} ${os['release']['major']}")
  }

  # Is this a server that the plan is for?
  $identity = $plan['identity']
  $checks = $ensure == 'present'

  # The product name of its DMI table. It may go on behind a name that ends with `*`.
  $product = $facts.get('dmi.product.name', 'none')
  $products = $identity.get('product.names', [])
  if $checks and $check_product and 'product' in $identity and $products.empty {
    $product_unknown = "${identity['product']['fact']} ${identity['product']['value']}"
    $product_advice = 'make sure yourself that this is one, and set check_product to false'
    fail("${module_name}: no source shows which product ${product_unknown} reports, so that nothing can be compared: ${product_advice}")
  }
  $product_fits = $product in $products or $products.any |$name| {
    $name[-1] == '*' and $product[0, $name.length - 1] == $name[0, $name.length - 1]
  }
  if $checks and $check_product and 'product' in $identity and !$product_fits {
    $product_fact = "${identity['product']['fact']} ${identity['product']['value']}"
    $product_wanted = "${identity['product']['verb']} ${product_fact} (${identity['product']['names'].join(' or ')})"
    $product_help = "state the right ${identity['product']['fact']} and compile again, or set check_product to false"
    fail("${module_name}: this server reports the product ${product}, and the policy ${product_wanted}: ${product_help}")
  }

  # How many processors it has.
  $sockets = $facts.get('processors.physicalcount', 0)
  if $checks and $check_sockets and 'sockets' in $identity and !(String($sockets) in $identity['sockets']['names']) {
    $sockets_wanted = "${identity['sockets']['verb']} ${identity['sockets']['value']}"
    $sockets_help = "state \"${identity['sockets']['fact']} ${sockets}\" and compile again, or set check_sockets to false"
    fail("${module_name}: this server reports ${sockets} processor socket(s), and the policy ${sockets_wanted}: ${sockets_help}")
  }

  # Its operating system, as the kernel names it.
  if $checks and $check_system and 'system' in $identity and !($facts['kernel'] in $identity['system']['names']) {
    $system_wanted = "${identity['system']['verb']} ${identity['system']['fact']} ${identity['system']['value']}"
    $system_help = "state the right ${identity['system']['fact']} and compile again, or set check_system to false"
    fail("${module_name}: this server reports the system ${facts['kernel']}, and the policy ${system_wanted}: ${system_help}")
  }

  # The program makes the same checks, except those that are switched off.
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

  # What the parts below run saves what it finds, changes what differs and reads it back, so that a run that is
  # interrupted can be completed or rolled back; file resources and `refreshonly` cannot do that. In a dry run the file on
  # the server may be that of an earlier plan: `subscribe` then shows that the new one would be asked. Otherwise `unless`
  # decides, and a refresh does nothing.
  $nothing_to_change = "grep -q 'nothing to change'"
  $has_snapshot = Hash(['kernel-args', 'cpuspeed', 'tuned', 'racadm'].map |$layer| {
    [$layer, "{ [ -e ${state_folder}/${layer}.journal ] || [ -e ${state_folder}/${layer}.rollback.1 ]; }"]
  })

  # The program that the parts run: it is the same for every plan, and each part has a plan of its own.
  $host_program = "${folder}/setpoint-host"
  $host = "${sh} ${host_program}"

  # It is in the files of the module, or in the bundle that the module still lies in.
  $program_beside = "${module_directory($module_name)}/../../host/setpoint-host"
  $program_found = find_file("${module_name}/setpoint-host", $program_beside)
  unless $program_found {
    fail("${module_name} was moved without its program, and nothing was changed: copy host/setpoint-host of its bundle to its files/")
  }
  $program_source = $program_found ? {
    $program_beside => { 'content' => file($program_beside) },
    default         => { 'source' => "puppet:///modules/${module_name}/setpoint-host" },
  }

  file { $host_program:
    ensure => file,
    mode   => '0755',
    *      => $program_source,
  }

  # The kernel arguments. The program compares what the next start will have: the running kernel has them only after a restart.
  $ways = $plan['kernel_arguments']
  if $ways {
    # If the plan is for one family of systems there is one way, whatever the server calls its family.
    $ways_here = $ways.filter |$name, $family| { $ways.length == 1 or $family == $os['family'] }.keys
    $way = $kernel_arguments_by.lest || { [*$ways_here, 'by-hand'][0] }
    unless $way in [*$ways.keys, 'by-hand'] {
      fail("${module_name}: kernel_arguments_by is ${way}, and plan ${plan_name} knows ${ways.keys.join(', ')} and by-hand")
    }
    $boot_plan = "${folder}/kernel-args.plan"
    $boot_by = $way ? {
      'by-hand' => '',
      default   => " --by ${way}",
    }
    $boot_options = "${boot_plan} --state ${state_folder}${boot_by}"
    $boot = $host

    file { $boot_plan:
      ensure => file,
      source => "${files}/kernel-args/kernel-args.plan",
    }

    if $ensure == 'absent' and $way != 'by-hand' {
      exec { 'setpoint: roll back kernel arguments':
        command   => "${boot} undo ${boot_options} --all",
        onlyif    => $has_snapshot['kernel-args'],
        path      => $path,
        provider  => shell,
        logoutput => true,
        timeout   => 1800,
        require   => [File[$boot_plan], File[$host_program]],
        notify    => Exec['setpoint: restart'],
      }
    } elsif $way != 'by-hand' {
      exec { 'setpoint: kernel arguments':
        command   => "${boot} apply ${boot_options}",
        unless    => "${boot} try ${boot_options} | ${nothing_to_change}",
        refresh   => 'true',
        path      => $path,
        provider  => shell,
        logoutput => true,
        timeout   => 1800,
        subscribe => [File[$boot_plan], File[$host_program]],
        notify    => Exec['setpoint: restart'],
      }
    } else {
      warning("${module_name}: the kernel arguments are left to you; sh ${host_program} verify ${boot_plan} compares them")
    }

    $boot_status = $ensure ? {
      'present' => "${boot} verify ${boot_options}",
      'absent'  => "! ${has_snapshot['kernel-args']} || return 3",
    }
    $boot_report = "${boot} verify ${boot_options} --json"
    $boot_next = $way ? {
      'by-hand' => undef,
      default   => "${boot} next ${boot_options}",
    }
  } else {
    $boot_status = undef
    $boot_report = undef
    $boot_next = undef
  }

  # The tuned profile. If the plan has none, that of an earlier plan is rolled back.
  $tuned = $plan['tuned']
  if !$manage_tuned {
    $tuned_status = undef
    $tuned_report = undef
  } elsif $tuned {
    # The program has the service run, writes the profile and activates it.
    $tuned_plan = "${folder}/tuned.plan"
    $profile_options = "${tuned_plan} --state ${state_folder}"

    file { $tuned_plan:
      ensure => file,
      source => "${files}/tuned/tuned.plan",
    }

    if $ensure == 'absent' {
      exec { 'setpoint: roll back tuned profile':
        command   => "${host} undo ${profile_options} --all",
        onlyif    => $has_snapshot['tuned'],
        path      => $path,
        provider  => shell,
        logoutput => true,
        timeout   => 1800,
        require   => [File[$tuned_plan], File[$host_program]],
      }
    } else {
      # Without the correction of drift, values that differ neither activate the profile again nor fail the run.
      $profile_changes = "-e 'would write' -e 'not in force' -e 'systemctl' -e 'did not finish'"
      $profile_settled = $tuned_correct_drift ? {
        true  => "${host} try ${profile_options} | ${nothing_to_change}",
        false => "! ${host} try ${profile_options} | grep -q ${profile_changes}",
      }
      $profile_returns = $tuned_correct_drift ? {
        true  => [0],
        false => [0, 3],
      }
      exec { 'setpoint: tuned profile':
        command   => "${host} apply ${profile_options}",
        unless    => $profile_settled,
        refresh   => 'true',
        returns   => $profile_returns,
        path      => $path,
        provider  => shell,
        logoutput => true,
        timeout   => 1800,
        subscribe => [File[$tuned_plan], File[$host_program]],
      }
    }

    $tuned_status = $ensure ? {
      'present' => "${host} verify ${profile_options}",
      'absent'  => "! ${has_snapshot['tuned']} || return 3",
    }
    $tuned_report = "${host} verify ${profile_options} --json"
  } else {
    $tuned_status = undef
    $tuned_report = undef
  }

  # The BIOS settings, set by the program with the tool of the plan. A setting counts as right once it is set or staged, though it
  # takes effect only with the next start. What can be staged only after that start is staged by the next run after it.
  $tool = $plan['firmware']
  $sets_firmware = $tool =~ NotUndef and $manage_firmware.lest || { $plan['manage_firmware'] }
  if $sets_firmware {
    $program = $racadm
    $names_program = "${tool.upcase}=${program}"
    $firmware_plan = "${folder}/${tool}.plan"
    $firmware_options = "${firmware_plan} --state ${state_folder}"

    # With syscfg the program compares what is set, with racadm what is in effect, unless it is told otherwise.
    $or_staged = $tool ? {
      'racadm' => ' --accept-pending',
      default  => '',
    }
    $password = ''

    file { $firmware_plan:
      ensure => file,
      source => "${files}/${tool}/${tool}.plan",
    }

    if $ensure == 'absent' {
      exec { 'setpoint: roll back BIOS settings':
        command     => "${password}${host} undo ${firmware_options} --all${or_staged}",
        onlyif      => $has_snapshot[$tool],
        unless      => "${host} undo ${firmware_options} --all --dry-run | ${nothing_to_change}",
        environment => [$names_program],
        path        => $path,
        provider    => shell,
        logoutput   => true,
        timeout     => 1800,
        require     => [File[$firmware_plan], File[$host_program]],
        notify      => Exec['setpoint: restart'],
      }
    } else {
      exec { 'setpoint: BIOS settings':
        command     => "${password}${host} apply ${firmware_options}${or_staged}",
        unless      => "${host} verify ${firmware_options}${or_staged}",
        refresh     => 'true',
        environment => [$names_program],
        path        => $path,
        provider    => shell,
        logoutput   => true,
        timeout     => 1800,
        subscribe   => [File[$firmware_plan], File[$host_program]],
        notify      => Exec['setpoint: restart'],
      }
    }

    $firmware_verify = "${names_program} ${host} verify ${firmware_options}"
    $lacks_program = "no ${program} here; install it, or set manage_firmware to false: the README has other ways to set the BIOS"
    $firmware_status = $ensure ? {
      'present' => "command -v ${program} >/dev/null || { echo '${lacks_program}'; return 4; }; ${firmware_verify}",
      'absent'  => "! ${has_snapshot[$tool]} || return 3",
    }
    $firmware_report = "${firmware_verify} --json"

    # Whether only a restart is missing; after a rollback, whether one is pending (3).
    if $ensure == 'present' {
      $firmware_waits = $or_staged ? {
        ''      => undef,
        default => "${firmware_verify}${or_staged}",
      }
    } else {
      # With syscfg the program notes what it sets, and in which boot. With racadm it names the job that is open.
      $firmware_back = "${names_program} ${host} undo ${firmware_options} --all --dry-run"
      $firmware_waits = $tool ? {
        'syscfg' => "! grep -qsxF \"$(cat /proc/sys/kernel/random/boot_id)\" ${state_folder}/syscfg.set || return 3",
        default  => "back=$(${firmware_back}) || return 4; case \$back in 'job '*) return 3 ;; esac",
      }
    }
  } else {
    $firmware_status = undef
    $firmware_report = undef
    $firmware_waits = undef
  }

  # How status.sh compares each part: with the plan, or with a complete rollback.
  $commands = {
    'kernel_arguments' => $boot_status,
    'tuned'            => $tuned_status,
    'firmware'         => $firmware_status,
  }
  $reports = {
    'kernel_arguments' => $boot_report,
    'tuned'            => $tuned_report,
    'firmware'         => $firmware_report,
  }
  file { "${folder}/status.sh":
    ensure  => file,
    content => epp("${module_name}/status.sh.epp", {
        'plan'           => $plan_name,
        'ensure'         => $ensure,
        'path'           => $path,
        'commands'       => $commands.filter |$part, $command| { $command =~ NotUndef },
        'reports'        => $reports.filter |$part, $command| { $command =~ NotUndef and $commands[$part] =~ NotUndef },
        'boot_next'      => $boot_next,
        'firmware_waits' => $firmware_waits,
    }),
    mode    => '0755',
  }

  # Only a run that has changed something that takes effect with the next start calls this.
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
