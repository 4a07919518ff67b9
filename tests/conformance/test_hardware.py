"""Processors and servers: which belong together, how many sockets they fill, and the sources' statements on each.

Compared line by line with:

* the papers: models, sockets and DIMMs of the 11th generation (11G: Intel Nehalem Architecture, Intel Westmere
  Architecture, Figure 11, Tables 1 and 2; CERN: sections 3.1, 4.4 and 5.6), the three lines of Sandy Bridge (12G:
  Introduction, Node Interleaving), Skylake in the 14th generation and the Gold 6150 (14G: Table 1 and the text above
  it);
* the captured servers: SystemModelName and Proc1Brand of R720, R630, R740 and R750, and of an R740xd with BIOS 2.24.0
  whose attributes, `SubNumaCluster` among them, are public (djsincla/GroundZero);
* Intel's product specifications, in a copy of July 2023 (felixsteinke/cpu-spec-dataset, intel-cpus.csv): code name,
  scalability and socket of every model below but the E5-2676 v3, which only the R630 shows, and those of `SEEN`.
  E5-2400 is FCLGA1356 in all of its versions, E7 LGA1567 or FCLGA2011, the other lines FCLGA2011, from their third
  version on FCLGA2011-3; E5-1600 is for one socket, E5-2400, E5-2600, Bronze and Silver are for two at most, as all of
  Ice Lake are; E5-4600 is for four. That eight Platinum or E7-8800 fit together is left out: no server here has eight
  sockets;
* reports of lscpu from machines (linuxhw/LsCPU at b0dfbec): the models of `SEEN`, which Intel's specifications lack,
  and which generation each is of (family, model): 6-44 as the other Xeon 5600, 6-45 Sandy Bridge, 6-47 Westmere-EX,
  6-62 Ivy Bridge, 6-63 Haswell, 6-79 Broadwell, 6-85 with stepping 4 Skylake;
* AMD's product specifications, in the same copy (amd-cpus.csv): series and sockets of every EPYC of four series;
* two catalogues of PowerEdge servers that are not Dell's, for generation and most sockets of every server (the one that
  is cited, tigerblue77/Dell_iDRAC_fan_controller_Docker, and a second) and for the lines that a server of the 12th
  generation takes (the second alone). That R620, R720 and M620 take the E5-2600, and R820 four processors, Dell's own
  papers say as well. Of R320, R420, R820 and M820, servers at work with a processor of that line were found.

Not from a source: that R820 and M820 also run with two E5-4600, which Intel's page does not provide for, rests on one
such server; the least that a server runs with, one processor, is taken for granted. Titles are Intel's and Dell's
names, with the code name behind; a model is named in small letters with hyphens, `xeon` before those of the Scalable
families. The goals, the kinds of workload and the other choices at the end are this library's own vocabulary, and are
compared with nothing.
"""

import pytest

from conformance.printed import rows
from conformance.xeon_lines import LINES as XEON_LINES
from setpoint.compiler.knowledge.model import FactValue, Knowledge

FAMILIES = """
nehalem      | Intel Xeon 5500 (Nehalem-EP)                            | poweredge-11g | sockets 1 or 2
westmere     | Intel Xeon 5600 (Westmere-EP)                           | poweredge-11g | sockets 1 or 2
sandy-bridge | Intel Xeon E5-2400, E5-2600 and E5-4600 (Sandy Bridge)  | poweredge-12g | sockets 1 or 2 or 4
haswell      | Intel Xeon E5-2600 v3 (Haswell-EP)                      | poweredge-13g | sockets 1 or 2
broadwell    | Intel Xeon E5-2600 v4 (Broadwell-EP)                    | poweredge-13g | sockets 1 or 2
skylake      | Intel Xeon Scalable, first generation (Skylake-SP)      |               | sockets 1 or 2 or 4
cascade-lake | Intel Xeon Scalable, second generation (Cascade Lake-SP)|               | sockets 1 or 2 or 4
ice-lake     | Intel Xeon Scalable, third generation (Ice Lake-SP)     |               | sockets 1 or 2
sapphire-rapids | Intel Xeon Scalable, fourth generation (Sapphire Rapids-SP) |        |
emerald-rapids  | Intel Xeon Scalable, fifth generation (Emerald Rapids-SP) |          |
sierra-forest   | Intel Xeon 6 with E-cores (Sierra Forest)               |            |
granite-rapids  | Intel Xeon 6 with P-cores (Granite Rapids)              |            |
"""

LINES = """
e5-2400 | Intel Xeon E5-2400 (Sandy Bridge-EN) | sockets 1 or 2
e5-2600 | Intel Xeon E5-2600 (Sandy Bridge-EP) | sockets 1 or 2
e5-4600 | Intel Xeon E5-4600 (Sandy Bridge-EP) | sockets 2 or 4
"""
"""The three lines of Sandy Bridge."""

SECOND_VERSION = """
ivy-bridge | Intel Xeon E5 v2 (Ivy Bridge)         |            | sandy-bridge | platform poweredge-12g | sockets 1 or 2 or 4
e5-2400-v2 | Intel Xeon E5-2400 v2 (Ivy Bridge-EN) | ivy-bridge | e5-2400      |                        | sockets 1 or 2
e5-2600-v2 | Intel Xeon E5-2600 v2 (Ivy Bridge-EP) | ivy-bridge | e5-2600      |                        | sockets 1 or 2
e5-4600-v2 | Intel Xeon E5-4600 v2 (Ivy Bridge-EP) | ivy-bridge | e5-4600      |                        | sockets 2 or 4
"""
"""Came after the 12G paper, for the same servers."""

IN_NO_SERVER = """
e7               | Intel Xeon E7 (Westmere-EX)                                         |                  |
e5-1600          | Intel Xeon E5-1600 (Sandy Bridge-EP)                                |                  | sockets 1
other-ivy-bridge | Intel Xeon E5-1600 v2 or E7 v2 (Ivy Bridge)                         |                  |
e5-1600-v2       | Intel Xeon E5-1600 v2 (Ivy Bridge-EP)                               | other-ivy-bridge | sockets 1
e7-v2            | Intel Xeon E7 v2 (Ivy Bridge)                                       | other-ivy-bridge |
other-haswell    | Intel Xeon E5-1600 v3, E5-2400 v3, E5-4600 v3 or E7 v3 (Haswell)    |                  |
e5-1600-v3       | Intel Xeon E5-1600 v3 (Haswell)                                     | other-haswell    | sockets 1
e5-2400-v3       | Intel Xeon E5-2400 v3 (Haswell)                                     | other-haswell    | sockets 1 or 2
e5-4600-v3       | Intel Xeon E5-4600 v3 (Haswell)                                     | other-haswell    | sockets 2 or 4
e7-v3            | Intel Xeon E7 v3 (Haswell)                                          | other-haswell    |
other-broadwell  | Intel Xeon E5-1600 v4, E5-4600 v4 or E7 v4 (Broadwell)              |                  |
e5-1600-v4       | Intel Xeon E5-1600 v4 (Broadwell)                                   | other-broadwell  | sockets 1
e5-4600-v4       | Intel Xeon E5-4600 v4 (Broadwell)                                   | other-broadwell  | sockets 2 or 4
e7-v4            | Intel Xeon E7 v4 (Broadwell)                                        | other-broadwell  |
"""
"""The lines of E5 and E7 that none of the servers here takes."""

MODELS = {
    "nehalem": "E5504, E5520, E5530, E5540, L5520, X5550, X5560, X5570",
    "westmere": "E5620, E5640, E5645, L5640, X5650, X5660, X5670, X5675, X5680, X5690",
    "e5-2400": "E5-2430, E5-2450, E5-2470",
    "e5-2600": "E5-2620, E5-2630, E5-2640, E5-2650, E5-2660, E5-2670, E5-2680, E5-2690",
    "e5-4600": "E5-4620, E5-4640, E5-4650",
    "haswell": "E5-2620 v3, E5-2630 v3, E5-2650 v3, E5-2667 v3, E5-2676 v3, E5-2680 v3, E5-2690 v3",
    "broadwell": "E5-2620 v4, E5-2630 v4, E5-2650 v4, E5-2667 v4, E5-2680 v4, E5-2690 v4, E5-2699 v4",
    "skylake": "Silver 4110, Silver 4114, Gold 6126, Gold 6130, Gold 6136, Gold 6140, Gold 6142, Gold 6148, "
    "Gold 6150, Gold 6152, Gold 6154, Platinum 8160, Platinum 8168, Platinum 8180",
    "cascade-lake": "Silver 4210, Silver 4214, Gold 6230, Gold 6242, Gold 6248, Gold 6252, Platinum 8260, "
    "Platinum 8280",
    "ice-lake": "Gold 5315Y, Gold 5317, Gold 5318N, Gold 5318S, Gold 5318Y, Gold 5320, Gold 5320T, Gold 6312U, Gold "
    "6314U, Gold 6326, Gold 6330, Gold 6330N, Gold 6334, Gold 6336Y, Gold 6338, Gold 6338N, Gold 6338T, "
    "Gold 6342, Gold 6346, Gold 6348, Gold 6354, Platinum 8351N, Platinum 8352M, Platinum 8352S, Platinum "
    "8352V, Platinum 8352Y, Platinum 8358, Platinum 8358P, Platinum 8360Y, Platinum 8362, Platinum 8368, "
    "Platinum 8368Q, Platinum 8380, Silver 4309Y, Silver 4310, Silver 4310T, Silver 4314, Silver 4316",
    "sapphire-rapids": "Bronze 3408U, Gold 5411N, Gold 5415+, Gold 5416S, Gold 5418N, Gold 5418Y, Gold 5420+, Gold 6414U, "
    "Gold 6416H, Gold 6418H, Gold 6421N, Gold 6426Y, Gold 6428N, Gold 6430, Gold 6434, Gold 6434H, Gold "
    "6438M, Gold 6438N, Gold 6438Y+, Gold 6442Y, Gold 6444Y, Gold 6448H, Gold 6448Y, Gold 6454S, Gold "
    "6458Q, Platinum 8444H, Platinum 8450H, Platinum 8452Y, Platinum 8454H, Platinum 8458P, Platinum "
    "8460H, Platinum 8460Y+, Platinum 8461V, Platinum 8462Y+, Platinum 8468, Platinum 8468H, Platinum "
    "8468V, Platinum 8470, Platinum 8470N, Platinum 8470Q, Platinum 8471N, Platinum 8480+, Platinum "
    "8490H, Silver 4410T, Silver 4410Y, Silver 4416+",
}

SEEN = """
E5-1607        | e5-1600    | E5-1607 0
E5-1607 v2     | e5-1600-v2 | E5-1607 v2
E5-1680 v2     | e5-1600-v2 | E5-1680 v2
E5-2682 v4     | broadwell  | E5-2682 v4
E5-2689        | e5-2600    | E5-2689 0
E5-2696 v2     | e5-2600-v2 | E5-2696 v2
E5-2696 v3     | haswell    | E5-2696 v3
E7-L8867       | e7         | E7-L8867
Gold 5117      | skylake    | Gold 5117
L5639          | westmere   | L5639
Platinum 8160M | skylake    | Platinum 8160M
Platinum 8171M | skylake    | Platinum 8171M
"""
"""Models of reports of lscpu, the family or line that each lies within, and the folder of its reports. Intel has the
E7-8867L instead."""

LATER_MODELS = {
    "emerald-rapids": "Gold 5512U, Gold 5515+, Gold 5520+, Gold 6526Y, Gold 6530, Gold 6534, Gold 6538N, Gold 6538Y+, Gold 6542Y, "
    "Gold 6544Y, Gold 6548N, Gold 6548Y+, Gold 6554S, Gold 6558Q, Platinum 8558, Platinum 8558P, Platinum 8558U, Platinum 8562Y+, "
    "Platinum 8568Y+, Platinum 8570, Platinum 8571N, Platinum 8580, Platinum 8581V, Platinum 8592+, Platinum 8592V, Platinum "
    "8593Q, Silver 4514Y, Silver 4516Y+",
    "sierra-forest": "6710E, 6731E, 6740E, 6746E, 6756E, 6766E, 6780E",
}
"""Younger than the copy of Intel's specifications: the models and code names of Quattor's library of processors."""

EPYC = {
    "epyc-naples": "7251, 7261, 7281, 7301, 7351, 7351P*, 7371, 7401, 7401P*, 7451, 7501, 7551, 7551P*, 7601",
    "epyc-rome": "7232P*, 7252, 7262, 7272, 7282, 7302, 7302P*, 7352, 7402, 7402P*, 7452, 7502, 7502P*, 7532, 7542, "
    "7552, 7642, 7662, 7702, 7702P*, 7742, 7F32, 7F52, 7F72, 7H12",
    "epyc-milan": "72F3, 7313, 7313P*, 7343, 7373X, 73F3, 7413, 7443, 7443P*, 7453, 7473X, 74F3, 7513, 7543, 7543P*, "
    "7573X, 75F3, 7643, 7663, 7713, 7713P*, 7763, 7773X",
    "epyc-genoa": "9124, 9174F, 9184X, 9224, 9254, 9274F, 9334, 9354, 9354P*, 9374F, 9384X, 9454, 9454P*, 9474F, 9534, "
    "9554, 9554P*, 9634, 9654, 9654P*, 9684X, 9734, 9754, 9754S",
}
"""AMD's models by family; those with a star are sold for one socket."""

TURIN = (
    "9015, 9115, 9135, 9175F, 9255, 9275F, 9335, 9355, 9355P, 9365, 9375F, 9455, 9455P, 9475F, 9535, 9555, 9555P, 9565, 9575F, "
    "9645, 9655, 9655P, 9745, 9755, 9825, 9845, 9965"
)
"""AMD's models of the series 9005, as Quattor's library has them, without the number of sockets."""

SERIES = {"epyc-naples": "7001", "epyc-rome": "7002", "epyc-milan": "7003", "epyc-genoa": "9004"}

OTHERS = """
harpertown      | Intel Xeon 5400 (Harpertown)       |            |
harpertown-5410 | Intel Xeon 5410 (Harpertown)       | harpertown |
harpertown-e5472| Intel Xeon E5472 (Harpertown)      | harpertown |
irwindale       | Intel Xeon of 2005 (Irwindale)     |            |
core-i7-965     | Intel Core i7 965                  |            | sockets 1
"""
"""What the CERN study compares with: in none of the servers here."""

EITHER = """
nehalem-or-westmere         | Intel Xeon 5500 or 5600 (Nehalem-EP or Westmere-EP)             | nehalem, westmere             | poweredge-11g | sockets 1 or 2
sandy-or-ivy-bridge         | Intel Xeon E5 or E5 v2 (Sandy Bridge or Ivy Bridge)             | sandy-bridge, ivy-bridge      | poweredge-12g | sockets 1 or 2 or 4
haswell-or-broadwell        | Intel Xeon E5-2600 v3 or v4 (Haswell-EP or Broadwell-EP)        | haswell, broadwell            | poweredge-13g | sockets 1 or 2
skylake-or-cascade-lake     | Intel Xeon Scalable, first or second generation (Skylake-SP or Cascade Lake-SP) | skylake, cascade-lake |        | sockets 1 or 2 or 4
sapphire-or-emerald-rapids  | Intel Xeon Scalable, fourth or fifth generation (Sapphire Rapids-SP or Emerald Rapids-SP) | sapphire-rapids, emerald-rapids | |
xeon-6                      | Intel Xeon 6 (Sierra Forest or Granite Rapids)                  | sierra-forest, granite-rapids |                        |
epyc-rome-or-milan          | AMD EPYC 7002 or 7003 (Rome or Milan)                           | epyc-rome, epyc-milan         |                        | sockets 1 or 2
epyc-genoa-or-turin         | AMD EPYC 9004 or 9005 (Genoa or Turin)                          | epyc-genoa, epyc-turin        |                        |
"""
"""The two generations of processors that servers of one generation take: what is not known of a server whose processor
is not."""

WITH_SNC = ("xeon-gold-6130", "xeon-gold-6150", "xeon-platinum-8168", "xeon-gold-6354")
"""Seen with Sub-NUMA clustering: in the 14G paper (Gold 6150), or in a captured firmware (R740, R740xd, R750)."""

SILVER = ("xeon-silver-4110", "xeon-silver-4114", "xeon-silver-4210", "xeon-silver-4214")
"""Silver allows two sockets at most, in families that otherwise allow four; all of Ice Lake does."""

SCALABILITY = {"1S Only": "sockets 1", "2S": "sockets 1 or 2", "S2S": "sockets 1 or 2"}
"""How many sockets a scalability allows, in the families whose models differ in it."""

NOT_ITS_SOCKET = {
    "R720": "e5-2400 or e5-2400-v2 or e5-4600 or e5-4600-v2",
    "R720xd": "e5-2400 or e5-2400-v2 or e5-4600 or e5-4600-v2",
    "R620": "e5-2400 or e5-2400-v2 or e5-4600 or e5-4600-v2",
    "T620": "e5-2400 or e5-2400-v2 or e5-4600 or e5-4600-v2",
    "M620": "e5-2400 or e5-2400-v2 or e5-4600 or e5-4600-v2",
    "R520": "e5-2600 or e5-2600-v2 or e5-4600 or e5-4600-v2",
    "R420": "e5-2600 or e5-2600-v2 or e5-4600 or e5-4600-v2",
    "R320": "e5-2600 or e5-2600-v2 or e5-4600 or e5-4600-v2",
    "R820": "e5-2400 or e5-2400-v2 or e5-2600 or e5-2600-v2",
    "M820": "e5-2400 or e5-2400-v2 or e5-2600 or e5-2600-v2",
}
"""The lines of Sandy Bridge and Ivy Bridge that a server of the 12th generation does not take."""

SERVERS = {
    "poweredge-11g": "R710, M710, R610, M610",
    "poweredge-12g": "R720, R720xd, R620, R520, R420, R320, T620, M620, R820, M820",
    "poweredge-13g": "R630, R730, R730xd, R530, R430, T630, M630, FC630, C6320",
    "poweredge-14g": "R640, R740, C6420",
    "poweredge-15g": "R650, R750, XR11, XR12",
    "poweredge-16g-intel": "R660, R760, R760xa, R860, MX760c, C6620",
    "poweredge-17g-intel": "R470, R670, R770",
}
FOUR_SOCKETS = ("R820", "M820", "R860")
SOCKETS_NOT_STATED = ("R320", "XR11", "XR12", "R470")
DIMMS = {"R710": "1 or 2 or 3", "M710": "1 or 2 or 3", "R610": "1 or 2", "M610": "1 or 2"}

GENERATIONS = """
poweredge-11g | Dell PowerEdge, 11th generation |               | nehalem-or-westmere
poweredge-12g | Dell PowerEdge, 12th generation |               | sandy-or-ivy-bridge
poweredge-13g | Dell PowerEdge, 13th generation | poweredge-12g | haswell-or-broadwell
poweredge-14g | Dell PowerEdge, 14th generation | poweredge-12g | skylake-or-cascade-lake
poweredge-15g | Dell PowerEdge, 15th generation | poweredge-14g | ice-lake
"""
"""With the generation whose advice each follows, and the processors that its servers take, as far as they are here."""

PROCESSORS = {name: taken for name, _, _, taken in rows(GENERATIONS)}
"""What the models of a generation take. Of the generations, each has small models with other processors, which are not
here."""

WITH_XEON = """
poweredge-16g-intel | Dell PowerEdge with Xeon processors, 16th generation | poweredge-15g       | sapphire-or-emerald-rapids
poweredge-17g-intel | Dell PowerEdge with Xeon processors, 17th generation | poweredge-16g-intel | xeon-6
"""
"""With the generation whose advice each follows, and its processors: the comparisons of registries name them (iDRAC9,
iDRAC10)."""

WITH_AMD = """
poweredge-15g-amd | Dell PowerEdge with AMD processors, 15th generation |                   | vendor dell, cpu epyc-rome-or-milan
r6515             | PowerEdge R6515                                     | poweredge-15g-amd | sockets 1
r7525             | PowerEdge R7525                                     | poweredge-15g-amd |
poweredge-16g-amd | Dell PowerEdge with AMD processors, 16th generation |                   | vendor dell, cpu epyc-genoa
r6615             | PowerEdge R6615                                     | poweredge-16g-amd | sockets 1
r7615             | PowerEdge R7615                                     | poweredge-16g-amd | sockets 1
r6625             | PowerEdge R6625                                     | poweredge-16g-amd |
r7625             | PowerEdge R7625                                     | poweredge-16g-amd |
"""
"""The R6515 and the captured R7615 take one processor (MaxCPUSockets), and so do the R6615s of the DMI tables; the
R7625s there have two."""

OTHER_MAKERS = """
dl360-gen10         | HPE ProLiant DL360 Gen10         | vendor hpe, cpu skylake-or-cascade-lake | sockets 1 or 2
dl360-gen10-plus    | HPE ProLiant DL360 Gen10 Plus    | vendor hpe, cpu ice-lake | sockets 1 or 2
dl385-gen10-plus-v2 | HPE ProLiant DL385 Gen10 Plus v2 | vendor hpe, cpu epyc-rome-or-milan | sockets 1 or 2
dl380a-gen11        | HPE ProLiant DL380a Gen11        | vendor hpe, cpu sapphire-or-emerald-rapids | sockets 1 or 2
proliant-gen11-intel | HPE ProLiant Gen11 with Xeon Scalable processors | vendor hpe, cpu sapphire-or-emerald-rapids |
sr670-v2            | Lenovo ThinkSystem SR670 V2      | vendor lenovo, cpu ice-lake | sockets 1 or 2
thinksystem-v1      | Lenovo ThinkSystem V1 with Xeon  | vendor lenovo, cpu skylake-or-cascade-lake |
thinksystem-v3-intel | Lenovo ThinkSystem V3 with 4th generation Xeon | vendor lenovo, cpu sapphire-or-emerald-rapids |
thinksystem-v3-amd  | Lenovo ThinkSystem V3 with EPYC 9004 processors | vendor lenovo, cpu epyc-genoa-or-turin |
as-1115cs-tnr       | Supermicro AS-1115CS-TNR         | vendor supermicro, cpu epyc-genoa-or-turin |
sys-821ge-tnhr      | Supermicro SYS-821GE-TNHR        | vendor supermicro, cpu sapphire-or-emerald-rapids | sockets 1 or 2
ucs-m5              | Cisco UCS, M5 with Intel processors | vendor cisco, cpu skylake-or-cascade-lake |
ucs-m6-intel        | Cisco UCS, M6 with Intel processors | vendor cisco, cpu ice-lake |
ucs-m6-amd          | Cisco UCS, M6 with AMD processors   | vendor cisco, cpu epyc-rome-or-milan |
ucs-m7              | Cisco UCS, M7                       | vendor cisco, cpu sapphire-or-emerald-rapids |
ucs-m8-amd          | Cisco UCS, M8 with AMD processors   | vendor cisco, cpu epyc-genoa-or-turin |
ucs-m8-intel        | Cisco UCS, M8 with Intel processors | vendor cisco, cpu xeon-6 |
"""
"""Captured servers: their names, and the makers of server and processor, as their own resources have them. Of Cisco's,
what its tuning guides say of a generation. Which processors each takes follows from its generation: as the makers'
papers, DMI tables of such servers, and for AMD the firmware's code say.
"""

PROLIANT = {"proliant-gen11-intel": "DL380 Gen11, DL560 Gen11"}
"""The servers of HPE's that SAP shows values of."""

THINKSYSTEM = {
    "thinksystem-v1": "SR650, SR850P, SR950",
    "thinksystem-v3-amd": "SR635 V3, SR655 V3",
    "thinksystem-v3-intel": "SR650 V3, SR850 V3, SR950 V3",
}
"""The servers of Lenovo's that somebody shows values of."""

UCS = {
    "ucs-m6-intel": "B200 M6, X210c M6, C220 M6, C240 M6",
    "ucs-m7": "C220 M7, C240 M7, X210c M7, X410c M7",
    "ucs-m8-intel": "C220 M8, C240 M8, X210c M8, X410c M8",
}
"""The servers that Cisco's tuning guides for M6, M7 and M8 name."""

CITED = """
platform ucs-m5       | cisco-bios-templates | M5-Intel
platform ucs-m6-intel | cisco-m6-tuning      | Purpose and scope
platform ucs-m6-amd   | cisco-bios-templates | M6-AMD
platform ucs-m7       | cisco-m7-tuning      | opening
platform ucs-m8-amd   | cisco-bios-templates | M8-AMD
platform b200-m6 | cisco-m6-tuning | Purpose and scope
platform x210c-m6 | cisco-m6-tuning | Purpose and scope
platform c220-m6 | cisco-m6-tuning | Purpose and scope
platform c240-m6 | cisco-m6-tuning | Purpose and scope
platform c220-m7 | cisco-m7-tuning | opening
platform c240-m7 | cisco-m7-tuning | opening
platform x210c-m7 | cisco-m7-tuning | opening
platform x410c-m7 | cisco-m7-tuning | opening
platform ucs-m8-intel | cisco-m8-intel-tuning | Purpose and scope
platform c220-m8 | cisco-m8-intel-tuning | Purpose and scope
platform c240-m8 | cisco-m8-intel-tuning | Purpose and scope
platform x210c-m8 | cisco-m8-intel-tuning | Purpose and scope
platform x410c-m8 | cisco-m8-intel-tuning | Purpose and scope
cpu nehalem          | dell-11g-hpc         | Intel Nehalem Architecture
cpu westmere         | dell-11g-hpc         | Intel Westmere Architecture
cpu x5550            | dell-11g-hpc         | Turbo Mode (Overview of 11G BIOS Options)
cpu x5570            | dell-11g-hpc         | Energy Efficient Processors
cpu e5540            | dell-11g-hpc         | Energy Efficient Processors
cpu x5650            | dell-11g-hpc         | Figure 11
cpu x5670            | dell-11g-hpc         | Figure 11
cpu l5520            | cern-nehalem         | Section 3.1
cpu haswell          | intel-specifications | E5-2600 v3
cpu broadwell        | intel-specifications | E5-2600 v4
cpu ivy-bridge       | intel-specifications | E5-2400 v2, E5-2600 v2, E5-4600 v2
cpu e5-2400-v2       | intel-specifications | E5-2400 v2
cpu e5-4600-v2       | intel-specifications | E5-4600 v2
cpu e7               | intel-specifications | E7-2800, E7-4800, E7-8800
cpu e5-1600          | intel-specifications | E5-1600
cpu e5-1600-v2       | intel-specifications | E5-1600 v2
cpu e7-v2            | intel-specifications | E7-2800 v2, E7-4800 v2, E7-8800 v2
cpu e5-1600-v3       | intel-specifications | E5-1600 v3
cpu e5-2400-v3       | intel-specifications | E5-2400 v3
cpu e5-4600-v3       | intel-specifications | E5-4600 v3
cpu e7-v3            | intel-specifications | E7-4800 v3, E7-8800 v3
cpu e5-1600-v4       | intel-specifications | E5-1600 v4
cpu e5-4600-v4       | intel-specifications | E5-4600 v4
cpu e7-v4            | intel-specifications | E7-4800 v4, E7-8800 v4
cpu skylake          | dell-14g-hpc         | Description of the Skylake processor
cpu cascade-lake     | dell-cascade-lake-hpc | introduction
cpu ice-lake         | intel-specifications | Silver 4300, Gold 6300, Platinum 8300
cpu sapphire-rapids  | intel-specifications | Bronze 3400, Silver 4400, Gold 5400 and 6400, Platinum 8400
cpu core-i7-965      | cern-nehalem         | Section 3.1
cpu harpertown-5410  | cern-nehalem         | Section 4.4.1
cpu harpertown-e5472 | cern-nehalem         | Section 4.4.2
cpu irwindale        | cern-nehalem         | Section 5.6
cpu sandy-bridge     | dell-12g-tuning      | Introduction
cpu e5-2400          | dell-12g-tuning      | Introduction
cpu e5-2600          | dell-12g-tuning      | Introduction
cpu e5-4600          | dell-12g-tuning      | Node Interleaving
cpu e5-2630          | dell-bios-registries | R720 registry, Proc1Brand; R720 registry, Proc1NumCores
cpu e5-2676-v3       | dell-bios-registries | R630 registry, Proc1Brand; R630 registry, Proc1NumCores
cpu xeon-gold-6130   | dell-bios-registries | R740 registry, Proc1Brand; R740 registry, Proc1NumCores
cpu xeon-gold-6150   | dell-14g-hpc         | Table 1
cpu xeon-gold-6354   | dell-bios-registries | R750 registry, Proc1Brand; R750 registry, Proc1NumCores
cpu xeon-platinum-8168 | dell-bios-r740xd-2.24.0 | Proc1Brand, SubNumaCluster
cpu e5-2600-v2       | dell-bios-m420-2.7.0 | Enhancements
platform r710        | dell-11g-hpc         | Intel Nehalem Architecture
platform m710        | dell-11g-hpc         | Intel Nehalem Architecture
platform r610        | dell-11g-hpc         | Intel Nehalem Architecture
platform m610        | dell-11g-hpc         | Intel Nehalem Architecture
platform r720        | dell-bios-registries | R720 registry, SystemModelName
platform r630        | dell-bios-registries | R630 registry, SystemModelName
platform r740        | dell-bios-registries | R740 registry, SystemModelName
platform r750        | dell-bios-registries | R750 registry, SystemModelName
platform xr11        | suse-flexran | Hardware
platform c6420       | dell-14g-hpc         | Table 1
platform r670 | poweredge-xeon-captures | R670 factory values, SystemModelName
cpu emerald-rapids | quattor-processors | Silver 4500, Gold 5500 and 6500, Platinum 8500
cpu sierra-forest  | quattor-processors | 6710E to 6780E
cpu granite-rapids | quattor-processors | 6952P to 6980P
cpu epyc-turin | quattor-epyc-processors | 9015 to 9965
platform r6515 | poweredge-amd-captures | R6515, Model
platform r7525 | linux-hardware-dmi     | Server/Dell/PowerEdge
platform r6615 | poweredge-amd-captures | R6615 factory values, SystemModelName
platform r7615 | poweredge-amd-captures | R7615, SystemModelName
platform r6625 | poweredge-amd-captures | dell.go
platform r7625 | linux-hardware-dmi     | Server/Dell/PowerEdge
platform dl360-gen10         | odim-bmc-operator          | Adding a BMC
platform dl360-gen10-plus    | hpe-dl360-gen10-plus-registry    | SupportedSystems
platform dl385-gen10-plus-v2 | hpe-dl385-gen10-plus-v2-registry | SupportedSystems
platform dl380a-gen11        | hpe-dl380a-gen11-registry        | SupportedSystems
platform proliant-gen11-intel | hpe-gen11-memory          | title
platform dl380-gen11         | proliant-gen11-captures    | DL380 Gen11
platform dl560-gen11         | proliant-gen11-captures    | DL560 Gen11
platform sr670-v2            | lenovo-bios-registries     | SR670 V2 registry, SupportedSystems
platform sys-821ge-tnhr      | supermicro-bios-registries | SYS-821GE-TNHR System, Model
platform thinksystem-v1      | lenovo-v1-captures         | SAP
platform sr650               | lenovo-v1-captures         | SAP
platform sr850p              | lenovo-v1-captures         | SAP
platform sr950               | lenovo-v1-captures         | SAP
platform thinksystem-v3-intel | lenovo-v3-xeon-captures   | LP1836
platform sr650-v3            | lenovo-v3-xeon-captures    | SR650 V3
platform sr850-v3            | lenovo-v3-xeon-captures    | SR850 V3
platform sr950-v3            | lenovo-v3-xeon-captures    | SR950 V3
platform thinksystem-v3-amd  | lenovo-amd-captures        | LP1977
platform sr635-v3            | lenovo-amd-captures        | SR635 V3 factory values
platform sr655-v3            | lenovo-amd-captures        | SR655 V3
platform as-1115cs-tnr       | supermicro-h13-captures    | AS-1115CS-TNR, AVX512_00D4
"""
"""Where a source names it. The other models are in Intel's specifications, the other servers in the catalogue."""

UNNAMED = [
    *sorted(
        [
            "cpu harpertown",
            *(f"cpu other-{family}" for family in ("broadwell", "haswell", "ivy-bridge")),
            *(f"cpu {name}" for name, *_ in rows(EITHER)),
        ]
    ),
    *(f"platform poweredge-{generation}g" for generation in range(11, 16)),
    *(f"platform poweredge-{generation}" for generation in ("15g-amd", "16g-amd", "16g-intel", "17g-intel")),
]
"""Families that are here because of the values within them."""


class Expected(dict[str, tuple[str, str, str, str, str]]):
    """For each name: its title, the value that it lies within, what it follows, implies and allows."""


def content_of(value: FactValue, knowledge: Knowledge) -> tuple[str, str, str, str, str]:
    """The content of the knowledge base about a value."""
    implied = ", ".join(" ".join(fact) for fact in value.implies)
    allowed = ", ".join(sorted(knowledge.box_text((asked,)) for asked in value.allows))
    return value.title, value.within, value.follows, implied, allowed


def model_name(model: str) -> str:
    """The name of a model here."""
    scalable = (
        model.split()[0] in ("Bronze", "Silver", "Gold", "Platinum") or model in LATER_MODELS["sierra-forest"]
    )
    return ("xeon-" if scalable else "") + model.lower().replace(" ", "-")


def processors() -> Expected:
    """The content of the tables about processors."""
    shown = Expected()
    for name, title, platform, sockets in rows(FAMILIES):
        shown[name] = title, "", "", f"platform {platform}" if platform else "", sockets
    for name, title, sockets in rows(LINES):
        shown[name] = title, "sandy-bridge", "", "", sockets
    for name, title, within, allowed in rows(OTHERS + IN_NO_SERVER.lstrip()):
        shown[name] = title, within, "", "", allowed
    for name, title, within, follows, implied, sockets in rows(SECOND_VERSION):
        shown[name] = title, within, follows, implied, sockets
    for family, models in (MODELS | LATER_MODELS).items():
        for model in models.split(", "):
            name = model_name(model)
            snc = "snc-support yes" if name in WITH_SNC else ""
            shown[name] = f"Intel Xeon {model}", family, "", snc, "sockets 1 or 2" if name in SILVER else ""
    for model, family, _ in rows(SEEN):
        shown[model_name(model)] = f"Intel Xeon {model}", family, "", "", ""
    for family, line in XEON_LINES.items():
        for model, *_, scalability in rows(line):
            differs = family.startswith("e7") or family in ("skylake", "cascade-lake")
            sockets = SCALABILITY.get(scalability, "") if differs else ""
            shown[model_name(model)] = f"Intel Xeon {model}", family, "", "", sockets
    for name, (title, within, follows, implied, allowed) in shown.items():
        made_by = "" if within else "cpu-vendor intel"
        shown[name] = title, within, follows, ", ".join(filter(None, [implied, made_by])), allowed
    for family, models in EPYC.items():
        code_name = family.removeprefix("epyc-").capitalize()
        shown[family] = f"AMD EPYC {SERIES[family]} ({code_name})", "", "", "cpu-vendor amd", "sockets 1 or 2"
        for model in models.split(", "):
            sockets = "sockets 1" if model.endswith("*") else ""
            name = model.removesuffix("*")
            shown[f"epyc-{name.lower()}"] = f"AMD EPYC {name}", family, "", "", sockets
    shown["epyc-turin"] = "AMD EPYC 9005 (Turin)", "", "", "cpu-vendor amd", ""
    for model in TURIN.split(", "):
        shown[f"epyc-{model.lower()}"] = f"AMD EPYC {model}", "epyc-turin", "", "", ""
    for name, title, values, platform, sockets in rows(EITHER):
        for value in values.split(", "):
            own_title, _, follows, implied, allowed = shown[value]
            shown[value] = own_title, name, follows, implied, allowed
        maker = "cpu-vendor amd" if name.startswith("epyc") else "cpu-vendor intel"
        shown[name] = title, "", "", f"{maker}, platform {platform}" if platform else maker, sockets
    return shown


def servers() -> Expected:
    """The content of the tables about servers."""
    shown = Expected()
    for name, title, follows, taken in rows(GENERATIONS):
        shown[name] = title, "", follows, "vendor dell", f"cpu {taken}, cpu-vendor intel"
    for name, title, follows, taken in rows(WITH_XEON):
        shown[name] = title, "", follows, f"vendor dell, cpu {taken}", ""
    for name, title, within, implied in rows(WITH_AMD):
        shown[name] = title, within, "", implied, ""
    for name, title, implied, allowed in rows(OTHER_MAKERS):
        shown[name] = title, "", "", implied, allowed
    for generation, models in THINKSYSTEM.items():
        for model in models.split(", "):
            name = model.lower().replace(" ", "-")
            shown[name] = f"Lenovo ThinkSystem {model}", generation, "", "", ""
    for generation, models in PROLIANT.items():
        for model in models.split(", "):
            shown[model.lower().replace(" ", "-")] = f"HPE ProLiant {model}", generation, "", "", ""
    for generation, models in UCS.items():
        for model in models.split(", "):
            shown[model.lower().replace(" ", "-")] = f"Cisco UCS {model}", generation, "", "", ""
    for generation, models in SERVERS.items():
        for model in models.split(", "):
            sockets = (
                ""
                if model in SOCKETS_NOT_STATED
                else f"sockets {'2 or 4' if model in FOUR_SOCKETS else '1 or 2'}"
            )
            taken = f"cpu not {NOT_ITS_SOCKET[model]}" if model in NOT_ITS_SOCKET else ""
            dimms = f"dimms-per-channel {DIMMS[model]}" if model in DIMMS else ""
            allowed = ", ".join(filter(None, (taken, dimms, sockets)))
            processor = PROCESSORS.get(generation, "")
            alone = "sockets 1" if model in ("R320", "XR12") else ""
            implied = ", ".join(filter(None, (f"cpu {processor}" if processor else "", alone)))
            shown[model.lower()] = f"PowerEdge {model}", generation, "", implied, allowed
    return shown


@pytest.mark.parametrize(("fact", "shown"), [("cpu", processors()), ("platform", servers())])
def test_families_models_and_sockets(fact: str, shown: Expected, knowledge: Knowledge) -> None:
    assert {name: content_of(value, knowledge) for name, value in knowledge.values[fact].items()} == dict(
        shown
    )


def places() -> dict[str, list[str]]:
    """Where each processor and server is named: the source, and the place in it."""
    models = [model for within in MODELS.values() for model in within.split(", ")]
    models += [model for line in XEON_LINES.values() for model, *_ in rows(line)]
    modelled = [model for within in SERVERS.values() for model in within.split(", ")]
    return (
        {f"cpu {model_name(model)}": ["intel-specifications", model] for model in models}
        | {
            f"cpu {model_name(model)}": ["quattor-processors", model]
            for within in LATER_MODELS.values()
            for model in within.split(", ")
        }
        | {
            f"cpu epyc-{model.lower()}": ["amd-specifications", f"EPYC {model}"]
            for within in EPYC.values()
            for model in within.replace("*", "").split(", ")
        }
        | {f"cpu epyc-{model.lower()}": ["quattor-epyc-processors", model] for model in TURIN.split(", ")}
        | {
            f"cpu {model_name(model)}": ["linux-hardware-lscpu", f"Intel/Xeon/Xeon {folder}"]
            for model, _, folder in rows(SEEN)
        }
        | {f"cpu {name}": ["amd-specifications", f"EPYC {series} Series"] for name, series in SERIES.items()}
        | {f"platform {model.lower()}": ["poweredge-catalogue", f"PowerEdge {model}"] for model in modelled}
        | {name: place for name, *place in rows(CITED)}
    )


def test_everything_has_its_place_in_a_source(knowledge: Knowledge) -> None:
    values = [value for fact in ("cpu", "platform") for value in knowledge.values[fact].values()]
    found = {f"{value.fact} {value.name}": list(value.citation) for value in values if value.citation}
    assert found == places()
    assert [f"{value.fact} {value.name}" for value in values if not value.citation] == UNNAMED


# -------------------------------------------------------------------------------------------------------- assumptions

# The 11G paper is about dual-socket servers (Executive Summary), and had both sockets filled (captions). So had the
# server of the 14G paper (Table 1), and that of the 12G paper, whose 16 cores (Logical Processor) are two processors of
# eight.
# The R760xa and the R670 have two processors. E5-4600 comes in fours (12G, Node Interleaving: "4P E5-4600"), and so do
# R820 and M820 (both catalogues). The operating system is this library's choice, and so is that network functions get
# at their cards by VFIO, and so is that a release whose tuned is not known goes without it.
ASSUMED = """
platform | poweredge-14g | cpu skylake
sockets | 2 | cpu skylake
sockets | 2 | platform poweredge-11g
sockets | 2 | platform poweredge-12g or poweredge-13g or poweredge-14g or poweredge-15g
sockets | 2 | platform poweredge-16g-intel or poweredge-17g-intel
sockets | 4 | cpu e5-4600 or e5-4600-v2, platform poweredge-12g
sockets | 4 | platform m820 or r820
device-access | vfio | workload nfv
device-access | vfio | goal latency, workload kubernetes-node
os      | modern-linux |
os      | modern-linux | os linux
tuned   | unused | os sles-12 or sles-15-sp1 or sles-15-sp2 or sles-15-sp3 or ubuntu-20.04
"""


def test_assumptions(knowledge: Knowledge) -> None:
    found = [[a.fact, a.value, knowledge.box_text(a.when)] for a in knowledge.assumptions]
    assert sorted(found) == sorted(rows(ASSUMED))


# ----------------------------------------------------------------------------------------------------- what runs on it

# Energy Efficient Processors of the 11G paper says that WRF is very communication intensive, and Fluent and LU
# CPU-bound; of ECLIPSE and Ansys it says (Table 1) only that they are cluster applications.
WORKLOADS = """
comm-bound   | hpc        |
cpu-bound    | hpc        |
memory-bound | hpc        |
wrf          | comm-bound | dell-11g-hpc, Energy Efficient Processors
weka         | nvme-storage   | weka-bios-tool, HPE, AMD, *
fluent       | cpu-bound  | dell-11g-hpc, Energy Efficient Processors
npb-lu       | cpu-bound  | dell-11g-hpc, Energy Efficient Processors
eclipse      | hpc        | dell-11g-hpc, Table 1
ansys        | hpc        | dell-11g-hpc, Table 1
cassandra       | io-bound |
message-broker  | io-bound |
kafka           | message-broker |
redpanda        | message-broker |
sap-hana        | in-memory-database |
sap-hana-netapp | sap-hana           |
relational-database | io-bound            |
oltp                | relational-database |
postgresql          | relational-database |
oracle-database     | relational-database |
sql-server          | relational-database |
vdi                 | virtualized         |
azure-stack         | virtualized         |
dpdk                | nfv                 |
mysql               | relational-database |
mongodb             | io-bound            |
mongodb-7           | mongodb             |
search-engine       | io-bound            |
elasticsearch       | search-engine       |
opensearch          | search-engine       |
clickhouse          | olap                |
key-value-store     | in-memory-database  |
redis               | key-value-store     |
valkey              | key-value-store     |
storage             | io-bound            |
nvme-storage        | storage             |
object-storage      | storage             |
minio               | object-storage      |
trading             | latency-bound       |
rendering           | cpu-intensive       |
build               | cpu-intensive       |
backup              | storage             |
java-latency        | java                |
java-throughput     | java                |
ran                 | nfv                 |
flexran             | ran                 |
gpu-training        | accelerated         |
gpu-inference       | accelerated         |
"""
BY_THEMSELVES = (
    *("hpc", "hep", "in-memory-database", "interactive", "io-bound", "java", "latency-bound", "virtualized"),
    *("accelerated", "kubernetes-node", "nfv", "real-time", "sap-netweaver", "web"),
    *("cpu-intensive", "data-analytics", "olap"),  # Cisco's templates have them apart from the others
)


def test_workloads(knowledge: Knowledge) -> None:
    values = knowledge.values["workload"].values()
    found = [[v.name, v.within, ", ".join(v.citation or ())] for v in values]
    assert sorted(found) == sorted([*rows(WORKLOADS), *([name, "", ""] for name in BY_THEMSELVES)])


# ------------------------------------------------------------------------------------------------ intents and the rest

CHOICES = """
goal              | balanced, density, efficiency, latency, performance, throughput
interconnect      | ethernet-10g, gigabit-ethernet, infiniband, omni-path
sockets           | 1, 2, 4
dimms-per-channel | 1, 2, 3
ranks-per-channel | 1, 2, 3, 4, 6, 8
memory-need       | all, half, seven-eighths, three-quarters
process-memory    | exceeds-socket, fits-socket
memory-locality   | good, poor
numa              | aware, unaware
snc-support       | no, yes
dimm-voltage      | 1.35v, 1.5v
"""


def test_choices(knowledge: Knowledge) -> None:
    found = {fact: ", ".join(sorted(values)) for fact, values in knowledge.values.items()}
    for fact, values in rows(CHOICES):
        assert found[fact] == values


def test_a_policy_states_its_goal_and_goal_and_workload_are_its_intent(knowledge: Knowledge) -> None:
    assert knowledge.required == {"goal"}
    assert {name for name, kind in knowledge.kinds.items() if kind.role == "intent"} == {"goal", "workload"}
