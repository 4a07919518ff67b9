"""The models of processors: cores, cache and memory, as the sources print them.

A line is a model as the source names it, and its cells in their order: cores, L3 cache, and memory by its types, its
speed (of AMD alone) and its channels. The library says the same in one sentence, with the fastest memory. The other
Xeons of Intel's specifications are in `xeon_lines`. The lists of Quattor have the cores only. So have reports of lscpu:
a model's place is the folder of its reports in LsCPU (at b0dfbec), and its cores are the Core(s) per socket of one of
them.
"""

import re

import pytest

from conformance.printed import rows
from conformance.xeon_lines import LINES
from setpoint.compiler.knowledge.model import Knowledge

PRINTED = {
    "amd-specifications": """
EPYC 7251  | 8   | 32MB   | DDR4 | Up to 2400MHz   | 8
EPYC 7261  | 8   | 64MB   | DDR4 | 2400MHz/2666MHz | 8
EPYC 7281  | 16  | 32MB   | DDR4 | 2400MHz/2666MHz | 8
EPYC 7301  | 16  | 64MB   | DDR4 | 2400MHz/2666MHz | 8
EPYC 7351  | 16  | 64MB   | DDR4 | 2400MHz/2666MHz | 8
EPYC 7351P | 16  | 64MB   | DDR4 | 2400MHz/2666MHz | 8
EPYC 7371  | 16  | 64MB   | DDR4 | Up to 2666MHz   | 8
EPYC 7401  | 24  | 64MB   | DDR4 | 2400MHz/2666MHz | 8
EPYC 7401P | 24  | 64MB   | DDR4 | 2400MHz/2666MHz | 8
EPYC 7451  | 24  | 64MB   | DDR4 | Up to 2666MHz   | 8
EPYC 7501  | 32  | 64MB   | DDR4 | 2400MHz/2666MHz | 8
EPYC 7551  | 32  | 64MB   | DDR4 | Up to 2666MHz   | 8
EPYC 7551P | 32  | 64MB   | DDR4 | Up to 2666MHz   | 8
EPYC 7601  | 32  | 64MB   | DDR4 | Up to 2666MHz   | 8
EPYC 7232P | 8   | 32MB   | DDR4 | Up to 3200MHz   | 8
EPYC 7252  | 8   | 64MB   | DDR4 | Up to 3200MHz   | 8
EPYC 7262  | 8   | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7272  | 12  | 64MB   | DDR4 | Up to 3200MHz   | 8
EPYC 7282  | 16  | 64MB   | DDR4 | Up to 3200MHz   | 8
EPYC 7302  | 16  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7302P | 16  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7352  | 24  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7402  | 24  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7402P | 24  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7452  | 32  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7502  | 32  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7502P | 32  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7532  | 32  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7542  | 32  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7552  | 48  | 192MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7642  | 48  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7662  | 64  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7702  | 64  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7702P | 64  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7742  | 64  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7F32  | 8   | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7F52  | 16  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7F72  | 24  | 192MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7H12  | 64  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 72F3  | 8   | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7313  | 16  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7313P | 16  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7343  | 16  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7373X | 16  | 768MB  | DDR4 | Up to 3200MHz   | 8
EPYC 73F3  | 16  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7413  | 24  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7443  | 24  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7443P | 24  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7453  | 28  | 64MB   | DDR4 | Up to 3200MHz   | 8
EPYC 7473X | 24  | 768MB  | DDR4 | Up to 3200MHz   | 8
EPYC 74F3  | 24  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7513  | 32  | 128MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7543  | 32  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7543P | 32  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7573X | 32  | 768MB  | DDR4 | Up to 3200MHz   | 8
EPYC 75F3  | 32  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7643  | 48  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7663  | 56  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7713  | 64  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7713P | 64  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7763  | 64  | 256MB  | DDR4 | Up to 3200MHz   | 8
EPYC 7773X | 64  | 768MB  | DDR4 | Up to 3200MHz   | 8
EPYC 9124  | 16  | 64MB   | DDR5 | Up to 4800MHz   | 12
EPYC 9174F | 16  | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9184X | 16  | 768MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9224  | 24  | 64MB   | DDR5 | Up to 4800MHz   | 12
EPYC 9254  | 24  | 128MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9274F | 24  | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9334  | 32  | 128MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9354  | 32  | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9354P | 32  | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9374F | 32  | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9384X | 32  | 768MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9454  | 48  | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9454P | 48  | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9474F | 48  | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9534  | 64  | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9554  | 64  | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9554P | 64  | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9634  | 84  | 384MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9654  | 96  | 384MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9654P | 96  | 384MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9684X | 96  | 1152MB | DDR5 | Up to 4800MHz   | 12
EPYC 9734  | 112 | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9754  | 128 | 256MB  | DDR5 | Up to 4800MHz   | 12
EPYC 9754S | 128 | 256MB  | DDR5 | Up to 4800MHz   | 12
""",
    "intel-specifications": """
E5-2620 v3      | 6  | 15 MB Intel Smart Cache | DDR4 1600/1866                                      | 4
E5-2630 v3      | 8  | 20 MB Intel Smart Cache | DDR4 1600/1866                                      | 4
E5-2650 v3      | 10 | 25 MB Intel Smart Cache | DDR4 1600/1866/2133                                 | 4
E5-2667 v3      | 8  | 20 MB Intel Smart Cache | DDR4 1600/1866/2133                                 | 4
E5-2680 v3      | 12 | 30 MB Intel Smart Cache | DDR4 1600/1866/2133                                 | 4
E5-2690 v3      | 12 | 30 MB Intel Smart Cache | DDR4 1600/1866/2133                                 | 4
E5-2620 v4      | 8  | 20 MB Intel Smart Cache | DDR4 1600/1866/2133                                 | 4
E5-2630 v4      | 10 | 25 MB Intel Smart Cache | DDR4 1600/1866/2133                                 | 4
E5-2650 v4      | 12 | 30 MB Intel Smart Cache | DDR4 1600/1866/2133/2400                            | 4
E5-2667 v4      | 8  | 25 MB Intel Smart Cache | DDR4 1600/1866/2133/2400                            | 4
E5-2680 v4      | 14 | 35 MB Intel Smart Cache | DDR4 1600/1866/2133/2400                            | 4
E5-2690 v4      | 14 | 35 MB Intel Smart Cache | DDR4 1600/1866/2133/2400                            | 4
E5-2699 v4      | 22 | 55 MB Intel Smart Cache | DDR4 1600/1866/2133/2400                            | 4
E5504           | 4  | 4 MB Intel Smart Cache  | DDR3 800                                            | 3
E5520           | 4  | 8 MB Intel Smart Cache  | DDR3 800/1066                                       | 3
E5530           | 4  | 8 MB Intel Smart Cache  | DDR3 800/1066                                       | 3
X5560           | 4  | 8 MB Intel Smart Cache  | DDR3 800/1066/1333                                  | 3
E5620           | 4  | 12 MB Intel Smart Cache | DDR3 800/1066                                       | 3
E5640           | 4  | 12 MB Intel Smart Cache | DDR3 800/1066                                       | 3
E5645           | 6  | 12 MB Intel Smart Cache | DDR3 800/1066/1333                                  | 3
L5640           | 6  | 12 MB Intel Smart Cache | DDR3 800/1066/1333                                  | 3
X5660           | 6  | 12 MB Intel Smart Cache | DDR3 800/1066/1333                                  | 3
X5675           | 6  | 12 MB Intel Smart Cache | DDR3 800/1066/1333                                  | 3
X5680           | 6  | 12 MB Intel Smart Cache | DDR3 800/1066/1333                                  | 3
X5690           | 6  | 12 MB Intel Smart Cache | DDR3 800/1066/1333                                  | 3
E5-2430         | 6  | 15 MB Intel Smart Cache | DDR3 800/1066/1333                                  | 3
E5-2450         | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600                             | 3
E5-2470         | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600                             | 3
E5-2620         | 6  | 15 MB Intel Smart Cache | DDR3 800/1066/1333                                  | 4
E5-2640         | 6  | 15 MB Intel Smart Cache | DDR3 800/1066/1333                                  | 4
E5-2650         | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600                             | 4
E5-2660         | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600                             | 4
E5-2670         | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600                             | 4
E5-2680         | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600                             | 4
E5-2690         | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600                             | 4
E5-4620         | 8  | 16 MB Intel Smart Cache | DDR3 800/1066/1333                                  | 4
E5-4640         | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600                             | 4
E5-4650         | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600                             | 4
Bronze 3408U    | 8  | 22.5 MB                 | Up to DDR5 4000 MT/s 1DPC and 2DPC                  | 8
Silver 4410T    | 10 | 26.25 MB                | Up to DDR5 4000 MT/s 1DPC and 2DPC                  | 8
Silver 4410Y    | 12 | 30 MB                   | Up to DDR5 4000 MT/s 1DPC and 2DPC                  | 8
Silver 4416+    | 20 | 37.5 MB                 | Up to DDR5 4000 MT/s 1DPC and 2DPC                  | 8
Gold 5411N      | 24 | 45 MB                   | Up to DDR5 4400 MT/s 1DPC and 2DPC                  | 8
Gold 5415+      | 8  | 22.5 MB                 | Up to DDR5 4400 MT/s 1DPC and 2DPC                  | 8
Gold 5416S      | 16 | 30 MB                   | Up to DDR5 4400 MT/s 1DPC and 2DPC                  | 8
Gold 5418N      | 24 | 45 MB                   | Up to DDR5 4000 MT/s 1DPC and 2DPC                  | 8
Gold 5418Y      | 24 | 45 MB                   | Up to DDR5 4400 MT/s 1DPC and 2DPC                  | 8
Gold 5420+      | 28 | 52.5 MB                 | Up to DDR5 4400 MT/s 1DPC and 2DPC                  | 8
Gold 6414U      | 32 | 60 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6416H      | 18 | 45 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6418H      | 24 | 60 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6421N      | 32 | 60 MB                   | Up to DDR5 4400 MT/s 1DPC and 2DPC                  | 8
Gold 6426Y      | 16 | 37.5 MB                 | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6428N      | 32 | 60 MB                   | Up to DDR5 4000 MT/s 1DPC and 2DPC                  | 8
Gold 6430       | 32 | 60 MB                   | Up to DDR5 4400 MT/s 1DPC and 2DPC                  | 8
Gold 6434       | 8  | 22.5 MB                 | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6434H      | 8  | 22.5 MB                 | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6438M      | 32 | 60 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6438N      | 32 | 60 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6438Y+     | 32 | 60 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6442Y      | 24 | 60 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6444Y      | 16 | 45 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6448H      | 32 | 60 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6448Y      | 32 | 60 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6454S      | 32 | 60 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Gold 6458Q      | 32 | 60 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8444H  | 16 | 45 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8450H  | 28 | 75 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8452Y  | 36 | 67.5 MB                 | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8454H  | 32 | 82.5 MB                 | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8458P  | 44 | 82.5 MB                 | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8460H  | 40 | 105 MB                  | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8460Y+ | 40 | 105 MB                  | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8461V  | 48 | 97.5 MB                 | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8462Y+ | 32 | 60 MB                   | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8468   | 48 | 105 MB                  | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8468H  | 48 | 105 MB                  | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8468V  | 48 | 97.5 MB                 | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8470   | 52 | 105 MB                  | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8470N  | 52 | 97.5 MB                 | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8470Q  | 52 | 105 MB                  | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8471N  | 52 | 97.5 MB                 | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8480+  | 56 | 105 MB                  | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Platinum 8490H  | 60 | 112.5 MB                | Up to DDR5 4800 MT/s 1DPC Up to DDR5 4400 MT/s 2DPC | 8
Silver 4110     | 8  | 11 MB L3 Cache          | DDR4-2400                                           | 6
Silver 4114     | 10 | 13.75 MB L3 Cache       | DDR4-2400                                           | 6
Gold 6126       | 12 | 19.25 MB L3 Cache       | DDR4-2666                                           | 6
Gold 6136       | 12 | 24.75 MB L3 Cache       | DDR4-2666                                           | 6
Gold 6140       | 18 | 24.75 MB L3 Cache       | DDR4-2666                                           | 6
Gold 6142       | 16 | 22 MB L3 Cache          | DDR4-2666                                           | 6
Gold 6148       | 20 | 27.5 MB L3 Cache        | DDR4-2666                                           | 6
Gold 6152       | 22 | 30.25 MB L3 Cache       | DDR4-2666                                           | 6
Gold 6154       | 18 | 24.75 MB L3 Cache       | DDR4-2666                                           | 6
Platinum 8160   | 24 | 33 MB L3 Cache          | DDR4-2666                                           | 6
Platinum 8180   | 28 | 38.5 MB L3 Cache        | DDR4-2666                                           | 6
Silver 4210     | 10 | 13.75 MB                | DDR4-2400                                           | 6
Silver 4214     | 12 | 16.5 MB                 | DDR4-2400                                           | 6
Gold 6230       | 20 | 27.5 MB                 | DDR4-2933                                           | 6
Gold 6242       | 16 | 22 MB                   | DDR4-2933                                           | 6
Gold 6248       | 20 | 27.5 MB                 | DDR4-2933                                           | 6
Gold 6252       | 24 | 35.75 MB                | DDR4-2933                                           | 6
Platinum 8260   | 24 | 35.75 MB                | DDR4-2933                                           | 6
Platinum 8280   | 28 | 38.5 MB                 | DDR4-2933                                           | 6
Silver 4310     | 12 | 18 MB                   | DDR4-2667                                           | 8
Silver 4314     | 16 | 24 MB                   | DDR4-2667                                           | 8
Gold 6330       | 28 | 42 MB                   | DDR4-2933                                           | 8
Gold 6338       | 32 | 48 MB                   | DDR4-3200                                           | 8
Gold 6348       | 28 | 42 MB                   | DDR4-3200                                           | 8
Platinum 8358   | 32 | 48 MB                   | DDR4-3200                                           | 8
Platinum 8380   | 40 | 60 MB                   | DDR4-3200                                           | 8
Silver 4309Y    | 8  | 12 MB                   | DDR4-2667                                           | 8
Silver 4310T    | 10 | 15 MB                   | DDR4-2667                                           | 8
Silver 4316     | 20 | 30 MB                   | DDR4-2667                                           | 8
Gold 5315Y      | 8  | 12 MB                   | DDR4-2933                                           | 8
Gold 5317       | 12 | 18 MB                   | DDR4-2933                                           | 8
Gold 5318N      | 24 | 36 MB                   | DDR4-2667                                           | 8
Gold 5318S      | 24 | 36 MB                   | DDR4-2933                                           | 8
Gold 5318Y      | 24 | 36 MB                   | DDR4-2933                                           | 8
Gold 5320       | 26 | 39 MB                   | DDR4-2933                                           | 8
Gold 5320T      | 20 | 30 MB                   | DDR4-2933                                           | 8
Gold 6312U      | 24 | 36 MB                   | DDR4-3200                                           | 8
Gold 6314U      | 32 | 48 MB                   | DDR4-3200                                           | 8
Gold 6326       | 16 | 24 MB                   | DDR4-3200                                           | 8
Gold 6330N      | 28 | 42 MB                   | DDR4-2667                                           | 8
Gold 6334       | 8  | 18 MB                   | DDR4-3200                                           | 8
Gold 6336Y      | 24 | 36 MB                   | DDR4-3200                                           | 8
Gold 6338N      | 32 | 48 MB                   | DDR4-2667                                           | 8
Gold 6338T      | 24 | 36 MB                   | DDR4-3200                                           | 8
Gold 6342       | 24 | 36 MB                   | DDR4-3200                                           | 8
Gold 6346       | 16 | 36 MB                   | DDR4-3200                                           | 8
Platinum 8351N  | 36 | 54 MB                   | DDR4-2933                                           | 8
Platinum 8352M  | 32 | 48 MB                   | DDR4-3200                                           | 8
Platinum 8352S  | 32 | 48 MB                   | DDR4-3200                                           | 8
Platinum 8352V  | 36 | 54 MB                   | DDR4-2933                                           | 8
Platinum 8352Y  | 32 | 48 MB                   | DDR4-3200                                           | 8
Platinum 8358P  | 32 | 48 MB                   | DDR4-3200                                           | 8
Platinum 8360Y  | 36 | 54 MB                   | DDR4-3200                                           | 8
Platinum 8362   | 32 | 48 MB                   | DDR4-3200                                           | 8
Platinum 8368   | 38 | 57 MB                   | DDR4-3200                                           | 8
Platinum 8368Q  | 38 | 57 MB                   | DDR4-3200                                           | 8
""",
    "linux-hardware-lscpu": """
Intel/Xeon/Xeon E5-1607 0      | 4
Intel/Xeon/Xeon E5-1607 v2     | 4
Intel/Xeon/Xeon E5-1680 v2     | 8
Intel/Xeon/Xeon E5-2682 v4     | 16
Intel/Xeon/Xeon E5-2689 0      | 8
Intel/Xeon/Xeon E5-2696 v2     | 12
Intel/Xeon/Xeon E5-2696 v3     | 18
Intel/Xeon/Xeon E7-L8867       | 10
Intel/Xeon/Xeon Gold 5117      | 14
Intel/Xeon/Xeon L5639          | 6
Intel/Xeon/Xeon Platinum 8160M | 24
Intel/Xeon/Xeon Platinum 8171M | 26
""",
    "quattor-epyc-processors": """
9015  | 8
9115  | 16
9135  | 16
9175F | 16
9255  | 24
9275F | 24
9335  | 32
9355  | 32
9355P | 32
9365  | 36
9375F | 32
9455  | 48
9455P | 48
9475F | 48
9535  | 64
9555  | 64
9555P | 64
9565  | 72
9575F | 64
9645  | 96
9655  | 96
9655P | 96
9745  | 128
9755  | 128
9825  | 144
9845  | 160
9965  | 192
""",
    "quattor-processors": """
Gold 5512U      | 28
Gold 5515+      | 8
Gold 5520+      | 28
Gold 6526Y      | 16
Gold 6530       | 32
Gold 6534       | 8
Gold 6538N      | 32
Gold 6538Y+     | 32
Gold 6542Y      | 24
Gold 6544Y      | 16
Gold 6548N      | 32
Gold 6548Y+     | 32
Gold 6554S      | 36
Gold 6558Q      | 32
Platinum 8558   | 48
Platinum 8558P  | 48
Platinum 8558U  | 48
Platinum 8562Y+ | 32
Platinum 8568Y+ | 48
Platinum 8570   | 56
Platinum 8571N  | 52
Platinum 8580   | 60
Platinum 8581V  | 60
Platinum 8592+  | 64
Platinum 8592V  | 64
Platinum 8593Q  | 64
Silver 4514Y    | 16
Silver 4516Y+   | 24
6710E           | 64
6731E           | 96
6740E           | 96
6746E           | 112
6756E           | 128
6766E           | 144
6780E           | 144
""",
}


def printed(source: str) -> dict[str, list[str]]:
    """The models that a source prints by their locators, with their cells."""
    found = {model: cells for model, *cells in rows(PRINTED[source])}
    if source == "intel-specifications":
        found |= {model: cells for line in LINES.values() for model, *cells, _ in rows(line)}
    return found


def memory(types: str, speed: str = "") -> str:
    """What the library says of the memory, `DDR4-1866 or DDR3-1600`: each type with its fastest speed, if one is
    printed."""
    fastest: dict[str, int] = {}
    for kind, speeds in re.findall(r"(DDR\d)[ -]?([\d/]*)", types):
        limit = speed or "".join(re.findall(r"Max Speed \d+", types)) or speeds
        fastest.setdefault(kind, max(map(int, re.findall(r"\d+", limit)), default=0))
    return " or ".join(f"{kind}-{fast}" if fast else kind for kind, fast in fastest.items())


def sentence(cells: list[str]) -> str:
    """What the library says of a model with these cells, `40 cores, 60 MB of L3 cache, 8 channels of DDR4-3200`."""
    cores, *more = cells
    if not more:
        return f"{cores} cores"
    cache, types, *speed, channels = more
    megabytes = re.match(r"[\d.]+", cache)
    assert megabytes
    return f"{cores} cores, {megabytes[0]} MB of L3 cache, {channels} channels of {memory(types, *speed)}"


@pytest.mark.parametrize("source", PRINTED)
def test_models_are_as_printed(source: str, knowledge: Knowledge) -> None:
    models = {
        value.citation.at: value.about
        for value in knowledge.values["cpu"].values()
        if value.citation and value.citation.source == source
    }
    expected = {model: sentence(cells) for model, cells in printed(source).items()}
    assert expected == {model: about for model, about in models.items() if re.match(r"\d+ cores", about)}
