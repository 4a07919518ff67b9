"""The appendix of the CERN openlab study, as it prints its tables, and the two tables of its chapter 5.

Memory is 24 GB for the Xeons and 6 GB for the Core i7 throughout. The appendix heads apparent power in W.
"""

POWER = """
State                                       | Active Power [W] | Apparent Power [W] | Power Factor
Idle, L5520 SMT-off turbo-off               | 119.029          | 133.191            | 0.894
Idle, L5520 SMT-off turbo-on                | 120.732          | 134.408            | 0.898
Idle, L5520 SMT-on turbo-off                | 129.721          | 143.291            | 0.905
Idle, L5520 SMT-on turbo-on                 | 130.916          | 144.482            | 0.906
Idle, E5540 SMT-off turbo-off               | 117.232          | 131.366            | 0.892
Idle, E5540 SMT-off turbo-on                | 117.221          | 131.29             | 0.893
Idle, E5540 SMT-on turbo-off                | 129.266          | 142.823            | 0.905
Idle, E5540 SMT-on turbo-on                 | 129.422          | 142.96             | 0.905
Idle, E5540 SMT-off turbo-off SpeedStep=off | 130.809          | 144.296            | 0.907
Idle, E5540 SMT-on turbo-off SpeedStep=off  | 148.379          | 160.966            | 0.922
Idle, X5570 SMT-off turbo-off               | 122.413          | 136.423            | 0.897
Idle, X5570 SMT-off turbo-on                | 118.701          | 132.742            | 0.894
Idle, X5570 SMT-on turbo-off                | 133.288          | 146.609            | 0.909
Idle, X5570 SMT-on turbo-on                 | 133.136          | 146.288            | 0.910
Load, L5520 SMT-off turbo-off               | 252.591          | 262.944            | 0.961
Load, L5520 SMT-off turbo-on                | 262.687          | 272.719            | 0.963
Load, L5520 SMT-on turbo-off                | 275.113          | 285.066            | 0.965
Load, L5520 SMT-on turbo-on                 | 273.54           | 283.524            | 0.965
Load, E5540 SMT-off turbo-off               | 292.483          | 302.031            | 0.968
Load, E5540 SMT-off turbo-on                | 309.231          | 318.48             | 0.971
Load, E5540 SMT-on turbo-off                | 316.216          | 325.459            | 0.972
Load, E5540 SMT-on turbo-on                 | 322.952          | 332.142            | 0.972
Load, E5540 SMT-off turbo-off SpeedStep=off | 317.111          | 326.371            | 0.972
Load, E5540 SMT-on turbo-off SpeedStep=off  | 319.316          | 328.556            | 0.972
Load, X5570 SMT-off turbo-off               | 325.632          | 334.837            | 0.972
Load, X5570 SMT-off turbo-on                | 359.091          | 367.979            | 0.976
Load, X5570 SMT-on turbo-off                | 356.214          | 365.092            | 0.976
Load, X5570 SMT-on turbo-on                 | 372.953          | 381.667            | 0.977
Idle, Core i7 965 SMT-off turbo-off         | 109.039          | 110.822            | 0.984
Idle, Core i7 965 SMT-off turbo-on          | 109.366          | 111.231            | 0.983
Idle, Core i7 965 SMT-on turbo-off          | 110.797          | 112.590            | 0.984
Idle, Core i7 965 SMT-on turbo-on           | 111.295          | 113.089            | 0.984
Load, Core i7 965 SMT-off turbo-off         | 220.078          | 221.981            | 0.991
Load, Core i7 965 SMT-off turbo-on          | 238.422          | 240.228            | 0.992
Load, Core i7 965 SMT-on turbo-off          | 235.737          | 237.567            | 0.992
Load, Core i7 965 SMT-on turbo-on           | 259.089          | 260.795            | 0.993
"""

MARKS = {
    "SMT-off Turbo-off": """
Mode, Compiler     | L5520  | E5540  | X5570
32 bit, Gcc 4.1.2  | 92.57  | 100.06 | 114.43
32 bit, Gcc 4.3.3  | 93.90  | 96.56  | 116.08
32 bit, Intel 11.0 | 104.44 | 107.03 | 129.44
64 bit, Gcc 4.1.2  | 106.86 | 108.90 | 136.90
64 bit, Gcc 4.3.3  | 110.28 | 110.57 | 134.43
64 bit, Intel 11.0 | 112.14 | 111.78 | 137.40
""",
    "SMT-off Turbo-on": """
Mode, Compiler     | L5520  | E5540  | X5570
32 bit, Gcc 4.1.2  | 94.25  | 103.46 | 118.21
32 bit, Gcc 4.3.3  | 96.24  | 106.45 | 119.12
32 bit, Intel 11.0 | 107.36 | 116.38 | 133.18
64 bit, Gcc 4.1.2  | 112.5  | 122.43 | 138.33
64 bit, Gcc 4.3.3  | 111.67 | 122.50 | 141.43
64 bit, Intel 11.0 | 114.57 | 124.23 | 142.50
""",
    "SMT-on Turbo-off": """
Mode, Compiler     | L5520  | E5540  | X5570
32 bit, Gcc 4.1.2  | 116.19 | 119.26 | 146.92
32 bit, Gcc 4.3.3  | 117.44 | 120.23 | 144.42
32 bit, Intel 11.0 | 133.44 | 135.99 | 165.09
64 bit, Gcc 4.1.2  | 139.04 | 138.70 | 173.86
64 bit, Gcc 4.3.3  | 137.19 | 139.39 | 166.10
64 bit, Intel 11.0 | 140.09 | 141.71 | 174.64
""",
    "SMT-on Turbo-on": """
Mode, Compiler     | L5520  | E5540  | X5570
32 bit, Gcc 4.1.2  | 117.97 | 128.70 | 151.44
32 bit, Gcc 4.3.3  | 117.93 | 132.64 | 150.12
32 bit, Intel 11.0 | 134.17 | 139.13 | 167.06
64 bit, Gcc 4.1.2  | 143.57 | 152.10 | 172.18
64 bit, Gcc 4.3.3  | 139.35 | 150.86 | 173.32
64 bit, Intel 11.0 | 141.49 | 144.58 | 175.47
""",
}

CORE_I7_MARKS = """
Mode, Compiler     | SMT-off Turbo-off | SMT-off Turbo-on | SMT-on Turbo-off | SMT-on Turbo-on
32 bit, Gcc 4.1.2  | 61.52             | 63.37            | 77.33            | 80.51
32 bit, Gcc 4.3.3  | 62.17             | 64.44            | 77.56            | 80.24
32 bit, Intel 11.0 | 68.67             | 71.19            | 86.14            | 91.05
64 bit, Gcc 4.1.2  | 71.38             | 73.05            | 90.90            | 92.59
64 bit, Gcc 4.3.3  | 71.41             | 73.75            | 92.37            | 91.64
64 bit, Intel 11.0 | 73.05             | 75.65            | 90.56            | 93.26
"""

# In print, the row of twelve processes on one disk has slipped one cell to the left.
ALICE = """
Disks, processes, physical cores, logical cores | Runtime AVG(m) | CPU-time AVG(m) | Throughput
1, 1, 1, 1                                      | 200.270        | 200.270         | 100
1, 2, 2, 2                                      | 199.245        | 398.490         | 100.5
1, 2, 1, 2                                      | 330.300        | 330.300         | 117.5
1, 4, 4, 4                                      | 202.520        | 810.080         | 98.9
1, 4, 2, 4                                      | 315.660        | 631.320         | 121.2
1, 8, 8, 8                                      | 218.392        | 1747.136        | 91.0
1, 8, 4, 8                                      | 300.270        | 1201.080        | 125.0
1, 12, 6, 12                                    | 369.130        | 2214.780        | 107.8
2, 12, 6, 12                                    | 340.185        | 2041.110        | 115.1
"""

# In print, the throughput of sixteen threads is in brackets.
MIXED = """
Run, threads, physical cores, logical cores | Runtime AVG (s) | CPU-time AVG (s) | Throughput
test40 (only), 2, 1, 2                      | 41.770          | 41.770           | 100.00
tbb+test40: test40, 2, 1, 1                 | 40.650          | 20.235           | 102.68
tbb+test40: test40, 4, 2, 2                 | 40.685          | 40.685           | 102.60
tbb+test40: test40, 8, 4, 4                 | 40.710          | 81.420           | 102.54
tbb+test40: test40, 16, 8, 8                | 45.928          | 183.712          | 90.05
tbb (only), 2, 1, 2                         | 68.373          | 68.373           | 100.00
tbb+test40: tbb, 2, 1, 1                    | 132.660         | 66.330           | 102.99
tbb+test40: tbb, 4, 2, 2                    | 69.270          | 69.270           | 98.69
tbb+test40: tbb, 8, 4, 4                    | 36.070          | 72.140           | 94.49
tbb+test40: tbb, 16, 8, 8                   | 21.310          | 85.240           | 75.33
"""
