"""The Xeon processors of Intel's specifications, as the public copy prints them (intel-cpus.csv), line by line.

The cells of a model: cores, L3 cache, memory by its types, its speed (of one model alone), its channels, and its
scalability: how many of them a server may have. The models that came first are in the tables of the tests; Intel's name
of the E7-L8867 is not here.
"""

LINES = {
    "e5-2400": """
E5-2403  | 4 | 10 MB Intel Smart Cache | DDR3 800/1066           | 3 | 2S Only
E5-2407  | 4 | 10 MB Intel Smart Cache | DDR3 800/1066           | 3 | 2S Only
E5-2418L | 4 | 10 MB Intel Smart Cache | DDR3 800/1066/1333      | 3 |
E5-2420  | 6 | 15 MB Intel Smart Cache | DDR3 800/1066/1333      | 3 | 2S Only
E5-2428L | 6 | 15 MB Intel Smart Cache | DDR3 800/1066/1333      | 3 |
E5-2430L | 6 | 15 MB Intel Smart Cache | DDR3 800/1066/1333      | 3 | 2S Only
E5-2440  | 6 | 15 MB Intel Smart Cache | DDR3 800/1066/1333      | 3 | 2S Only
E5-2448L | 8 | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 3 |
E5-2450L | 8 | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 3 | 2S Only
""",
    "e5-2400-v2": """
E5-2403 v2  | 4  | 10 MB Intel Smart Cache | DDR3 800/1066/1333      | 3 | 2S Only
E5-2407 v2  | 4  | 10 MB Intel Smart Cache | DDR3 800/1066/1333      | 3 | 2S Only
E5-2418L v2 | 6  | 15 MB Intel Smart Cache | DDR3 800/1066/1333      | 3 | 2S Only
E5-2420 v2  | 6  | 15 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 3 | 2S Only
E5-2428L v2 | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 3 | 2S Only
E5-2430 v2  | 6  | 15 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 3 | 2S Only
E5-2430L v2 | 6  | 15 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 3 | 2S Only
E5-2440 v2  | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 3 | 2S Only
E5-2448L v2 | 10 | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 3 | 2S Only
E5-2450 v2  | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 3 | 2S Only
E5-2450L v2 | 10 | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 3 | 2S Only
E5-2470 v2  | 10 | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 3 | 2S Only
""",
    "e5-2400-v3": """
E5-2408L v3 | 4  | 10 MB | DDR3 800/1066/1333/1600 | 3 | 2S
E5-2418L v3 | 6  | 15 MB | DDR3 800/1066/1333/1600 | 3 | 2S
E5-2428L v3 | 8  | 20 MB | DDR3 800/1066/1333/1600 | 3 | 2S
E5-2438L v3 | 10 | 25 MB | DDR3 800/1066/1333/1600 | 3 | 2S
""",
    "e5-2600": """
E5-2603  | 4 | 10 MB Intel Smart Cache | DDR3 800/1066           | 4 | 2S Only
E5-2609  | 4 | 10 MB Intel Smart Cache | DDR3 800/1066           | 4 | 2S Only
E5-2630L | 6 | 15 MB Intel Smart Cache | DDR3 800/1066/1333      | 4 | 2S Only
E5-2637  | 2 | 5 MB Intel Smart Cache  | DDR3 800/1066/1333/1600 | 4 | 2S Only
E5-2643  | 4 | 10 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 4 | 2S Only
E5-2648L | 8 | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 4 |
E5-2650L | 8 | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 4 | 2S Only
E5-2658  | 8 | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 4 | 2S Only
E5-2665  | 8 | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 4 | 2S Only
E5-2667  | 6 | 15 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 4 | 2S Only
E5-2687W | 8 | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 4 | 2S Only
""",
    "e5-2600-v2": """
E5-2603 v2  | 4  | 10 MB Intel Smart Cache | DDR3 800/1066/1333           | 4 | 2S Only
E5-2609 v2  | 4  | 10 MB Intel Smart Cache | DDR3 800/1066/1333           | 4 | 2S Only
E5-2618L v2 | 6  | 15 MB Intel Smart Cache | DDR3 800/1066/1333           | 4 | 2S Only
E5-2620 v2  | 6  | 15 MB Intel Smart Cache | DDR3 800/1066/1333/1600      | 4 | 2S Only
E5-2628L v2 | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600      | 4 | 2S Only
E5-2630 v2  | 6  | 15 MB Intel Smart Cache | DDR3 800/1066/1333/1600      | 4 | 2S Only
E5-2630L v2 | 6  | 15 MB Intel Smart Cache | DDR3 800/1066/1333/1600      | 4 | 2S Only
E5-2637 v2  | 4  | 15 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S Only
E5-2640 v2  | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600      | 4 | 2S Only
E5-2643 v2  | 6  | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S Only
E5-2648L v2 | 10 | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S Only
E5-2650 v2  | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S Only
E5-2650L v2 | 10 | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600      | 4 | 2S Only
E5-2658 v2  | 10 | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S
E5-2660 v2  | 10 | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S Only
E5-2667 v2  | 8  | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S Only
E5-2670 v2  | 10 | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S Only
E5-2680 v2  | 10 | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S Only
E5-2687W v2 | 8  | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S Only
E5-2690 v2  | 10 | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S
E5-2695 v2  | 12 | 30 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S Only
E5-2697 v2  | 12 | 30 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 2S Only
""",
    "haswell": """
E5-2603 v3  | 6  | 15 MB Intel Smart Cache | DDR4 1600           | 4 | 2S
E5-2608L v3 | 6  | 15 MB Intel Smart Cache | DDR4 1600/1866      | 4 | 2S
E5-2609 v3  | 6  | 15 MB Intel Smart Cache | DDR4 1600           | 4 | 2S
E5-2618L v3 | 8  | 20 MB Intel Smart Cache | DDR4 1600/1866      | 4 | 2S
E5-2623 v3  | 4  | 10 MB Intel Smart Cache | DDR4 1600/1866      | 4 | 2S
E5-2628L v3 | 10 | 25 MB Intel Smart Cache | DDR4 1600/1866      | 4 | 2S
E5-2630L v3 | 8  | 20 MB Intel Smart Cache | DDR4 1600/1866      | 4 | 2S
E5-2637 v3  | 4  | 15 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2640 v3  | 8  | 20 MB Intel Smart Cache | DDR4 1600/1866      | 4 | 2S
E5-2643 v3  | 6  | 20 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2648L v3 | 12 | 30 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2650L v3 | 12 | 30 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2658 v3  | 12 | 30 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2658A v3 | 12 | 30 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2660 v3  | 10 | 25 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2670 v3  | 12 | 30 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2683 v3  | 14 | 35 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2687W v3 | 10 | 25 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2695 v3  | 14 | 35 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2697 v3  | 14 | 35 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2698 v3  | 16 | 40 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
E5-2699 v3  | 18 | 45 MB Intel Smart Cache | DDR4 1600/1866/2133 | 4 | 2S
""",
    "broadwell": """
E5-2603 v4  | 6  | 15 MB Intel Smart Cache | DDR4 1600/1866           | 4 | 2S
E5-2608L v4 | 8  | 20 MB Intel Smart Cache | DDR4 1600/1866           | 4 | 2S
E5-2609 v4  | 8  | 20 MB Intel Smart Cache | DDR4 1600/1866           | 4 | 2S
E5-2618L v4 | 10 | 25 MB Intel Smart Cache | DDR4 1600/1866/2133      | 4 | 2S
E5-2623 v4  | 4  | 10 MB Intel Smart Cache | DDR4 1600/1866/2133      | 4 | 2S
E5-2628L v4 | 12 | 30 MB Intel Smart Cache | DDR4 1600/1866/2133      | 4 | 2S
E5-2630L v4 | 10 | 25 MB Intel Smart Cache | DDR4 1600/1866/2133      | 4 | 2S
E5-2637 v4  | 4  | 15 MB Intel Smart Cache | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2640 v4  | 10 | 25 MB Intel Smart Cache | DDR4 1600/1866/2133      | 4 | 2S
E5-2643 v4  | 6  | 20 MB Intel Smart Cache | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2648L v4 | 14 | 35 MB Intel Smart Cache | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2650L v4 | 14 | 35 MB Intel Smart Cache | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2658 v4  | 14 | 35 MB Intel Smart Cache | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2660 v4  | 14 | 35 MB                   | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2683 v4  | 16 | 40 MB Intel Smart Cache | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2687W v4 | 12 | 30 MB Intel Smart Cache | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2695 v4  | 18 | 45 MB Intel Smart Cache | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2697 v4  | 18 | 45 MB Intel Smart Cache | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2697A v4 | 16 | 40 MB Intel Smart Cache | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2698 v4  | 20 | 50 MB Intel Smart Cache | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2699A v4 | 22 | 55 MB                   | DDR4 1600/1866/2133/2400 | 4 | 2S
E5-2699R v4 | 22 | 55 MB                   | DDR4 1600/1866/2133/2400 | 4 | 2S
""",
    "e5-4600": """
E5-4603  | 4 | 10 MB Intel Smart Cache | DDR3 800/1066           | 4 | 4S Only
E5-4607  | 6 | 12 MB Intel Smart Cache | DDR3 800/1066           | 4 | 4S Only
E5-4610  | 6 | 15 MB Intel Smart Cache | DDR3 800/1066/1333      | 4 | 4S Only
E5-4617  | 6 | 15 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 4 | 4S Only
E5-4650L | 8 | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 4 | 4S Only
""",
    "e5-4600-v2": """
E5-4603 v2  | 4  | 10 MB Intel Smart Cache | DDR3 800/1066/1333           | 4 | 4S Only
E5-4607 v2  | 6  | 15 MB Intel Smart Cache | DDR3 800/1066/1333           | 4 | 4S Only
E5-4610 v2  | 8  | 16 MB Intel Smart Cache | DDR3 800/1066/1333/1600      | 4 | 4S Only
E5-4620 v2  | 8  | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600      | 4 | 4S Only
E5-4624L v2 | 10 | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 4S Only
E5-4627 v2  | 8  | 16 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 4S Only
E5-4640 v2  | 10 | 20 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 4S Only
E5-4650 v2  | 10 | 25 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 4S Only
E5-4657L v2 | 12 | 30 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 4S Only
""",
    "e5-4600-v3": """
E5-4610 v3 | 10 | 25 MB | DDR4 | 4 | 4S
E5-4620 v3 | 10 | 25 MB | DDR4 | 4 | 4S
E5-4627 v3 | 10 | 25 MB | DDR4 | 4 | 4S
E5-4640 v3 | 12 | 30 MB | DDR4 | 4 | 4S
E5-4648 v3 | 12 | 30 MB | DDR4 | 4 | 4S
E5-4650 v3 | 12 | 30 MB | DDR4 | 4 | 4S
E5-4655 v3 | 6  | 30 MB | DDR4 | 4 | 4S
E5-4667 v3 | 16 | 40 MB | DDR4 | 4 | 4S
E5-4669 v3 | 18 | 45 MB | DDR4 | 4 | 4S
""",
    "e5-4600-v4": """
E5-4610 v4  | 10 | 25 MB | DDR4            | 4 | 4S
E5-4620 v4  | 10 | 25 MB | DDR4            | 4 | 4S
E5-4627 v4  | 10 | 25 MB | DDR4 | 2400 MHz | 4 | 4S
E5-4628L v4 | 14 | 35 MB | DDR4            | 4 | 4S
E5-4640 v4  | 12 | 30 MB | DDR4            | 4 | 4S
E5-4650 v4  | 14 | 35 MB | DDR4            | 4 | 4S
E5-4655 v4  | 8  | 30 MB | DDR4            | 4 | 4S
E5-4660 v4  | 16 | 40 MB | DDR4            | 4 | 4S
E5-4667 v4  | 18 | 45 MB | DDR4            | 4 | 4S
E5-4669 v4  | 22 | 55 MB | DDR4            | 4 | 4S
""",
    "e5-1600": """
E5-1620 | 4 | 10 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 4 |
E5-1650 | 6 | 12 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 4 |
E5-1660 | 6 | 15 MB Intel Smart Cache | DDR3 800/1066/1333/1600 | 4 |
""",
    "e5-1600-v2": """
E5-1620 v2 | 4 | 10 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 1S Only
E5-1650 v2 | 6 | 12 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 1S Only
E5-1660 v2 | 6 | 15 MB Intel Smart Cache | DDR3 800/1066/1333/1600/1866 | 4 | 1S Only
""",
    "e5-1600-v3": """
E5-1620 v3 | 4 | 10 MB Intel Smart Cache | DDR4 1333/1600/1866/2133 | 4 | 1S Only
E5-1630 v3 | 4 | 10 MB Intel Smart Cache | DDR4 1333/1600/1866/2133 | 4 | 1S Only
E5-1650 v3 | 6 | 15 MB Intel Smart Cache | DDR4 1333/1600/1866/2133 | 4 | 1S Only
E5-1660 v3 | 8 | 20 MB Intel Smart Cache | DDR4 1333/1600/1866/2133 | 4 | 1S Only
E5-1680 v3 | 8 | 20 MB Intel Smart Cache | DDR4 1333/1600/1866/2133 | 4 | 1S Only
""",
    "e5-1600-v4": """
E5-1620 v4 | 4 | 10 MB | DDR4 1600/1866/2133/2400 | 4 | 1S Only
E5-1630 v4 | 4 | 10 MB | DDR4 1600/1866/2133/2400 | 4 | 1S Only
E5-1650 v4 | 6 | 15 MB | DDR4 1600/1866/2133/2400 | 4 | 1S Only
E5-1660 v4 | 8 | 20 MB | DDR4 1600/1866/2133/2400 | 4 | 1S Only
E5-1680 v4 | 8 | 20 MB | DDR4 1600/1866/2133/2400 | 4 | 1S Only
""",
    "e7": """
E7-2803 | 6  | 18 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 800 MHz)  | 4 | 2S
E7-2820 | 8  | 18 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | 2S
E7-2830 | 8  | 24 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S2S
E7-2850 | 10 | 24 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S2S
E7-2860 | 10 | 24 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S2S
E7-2870 | 10 | 30 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S2S
E7-4807 | 6  | 18 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 800 MHz)  | 4 | S4S
E7-4820 | 8  | 18 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S4S
E7-4830 | 8  | 24 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S4S
E7-4850 | 10 | 24 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S4S
E7-4860 | 10 | 24 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S4S
E7-4870 | 10 | 30 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S4S
E7-8830 | 8  | 24 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S8S
E7-8837 | 8  | 24 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S8S
E7-8850 | 10 | 24 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S8S
E7-8860 | 10 | 24 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S8S
E7-8870 | 10 | 30 MB Intel Smart Cache | DDR3 800/978/1066/1333 (Max Speed 1066 MHz) | 4 | S8S
""",
    "e7-v2": """
E7-2850 v2  | 12 | 24 MB   | DDR3 1066/1333/1600 | 4 | S2S
E7-2870 v2  | 15 | 30 MB   | DDR3 1066/1333/1600 | 4 | S2S
E7-2880 v2  | 15 | 37.5 MB | DDR3 1066/1333/1600 | 4 | S2S
E7-2890 v2  | 15 | 37.5 MB | DDR3 1066/1333/1600 | 4 | S2S
E7-4809 v2  | 6  | 12 MB   | DDR3 1066/1333      | 4 | S4S
E7-4820 v2  | 8  | 16 MB   | DDR3 1066/1333/1600 | 4 | S4S
E7-4830 v2  | 10 | 20 MB   | DDR3 1066/1333/1600 | 4 | S4S
E7-4850 v2  | 12 | 24 MB   | DDR3 1066/1333/1600 | 4 | S4S
E7-4860 v2  | 12 | 30 MB   | DDR3 1066/1333/1600 | 4 | S4S
E7-4870 v2  | 15 | 30 MB   | DDR3 1066/1333/1600 | 4 | S4S
E7-4880 v2  | 15 | 37.5 MB | DDR3 1066/1333/1600 | 4 | S4S
E7-4890 v2  | 15 | 37.5 MB | DDR3 1066/1333/1600 | 4 | S4S
E7-8850 v2  | 12 | 24 MB   | DDR3 1066/1333/1600 | 4 | S8S
E7-8857 v2  | 12 | 30 MB   | DDR3 1066/1333/1600 | 4 | S8S
E7-8870 v2  | 15 | 30 MB   | DDR3 1066/1333/1600 | 4 | S8S
E7-8880 v2  | 15 | 37.5 MB | DDR3 1066/1333/1600 | 4 | S8S
E7-8880L v2 | 15 | 37.5 MB | DDR3 1066/1333/1600 | 4 | S8S
E7-8890 v2  | 15 | 37.5 MB | DDR3 1066/1333/1600 | 4 | S8S
E7-8891 v2  | 10 | 37.5 MB | DDR3 1066/1333/1600 | 4 | S8S
E7-8893 v2  | 6  | 37.5 MB | DDR3 1066/1333/1600 | 4 | S8S
""",
    "e7-v3": """
E7-4809 v3  | 8  | 20 MB Last Level Cache | DDR4-1333/1600/1866 DDR3-1066/1333      | 4 | S4S
E7-4820 v3  | 10 | 25 MB Last Level Cache | DDR4-1333/1600/1866 DDR3-1066/1333      | 4 | S4S
E7-4830 v3  | 12 | 30 MB Last Level Cache | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S4S
E7-4850 v3  | 14 | 35 MB Last Level Cache | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S4S
E7-8860 v3  | 16 | 40 MB Last Level Cache | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8867 v3  | 16 | 45 MB                  | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8870 v3  | 18 | 45 MB Last Level Cache | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8880 v3  | 18 | 45 MB Last Level Cache | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8880L v3 | 18 | 45 MB Last Level Cache | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8890 v3  | 18 | 45 MB Last Level Cache | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8891 v3  | 10 | 45 MB Last Level Cache | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8893 v3  | 4  | 45 MB Last Level Cache | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
""",
    "e7-v4": """
E7-4809 v4 | 8  | 20 MB | DDR4-1333/1600/1866 DDR3-1066/1333      | 4 | S4S
E7-4820 v4 | 10 | 25 MB | DDR4-1333/1600/1866 DDR3-1066/1333      | 4 | S4S
E7-4830 v4 | 14 | 35 MB | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S4S
E7-4850 v4 | 16 | 40 MB | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S4S
E7-8860 v4 | 18 | 45 MB | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8867 v4 | 18 | 45 MB | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8870 v4 | 20 | 50 MB | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8880 v4 | 22 | 55 MB | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8890 v4 | 24 | 60 MB | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8891 v4 | 10 | 60 MB | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8893 v4 | 4  | 60 MB | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
E7-8894 v4 | 24 | 60 MB | DDR4-1333/1600/1866 DDR3-1066/1333/1600 | 4 | S8S
""",
    "nehalem": """
E5502 | 2 | 4 MB Intel Smart Cache | DDR3 800      | 3 |
E5503 | 2 | 4 MB Intel Smart Cache | DDR3 800      | 3 |
E5506 | 4 | 4 MB Intel Smart Cache | DDR3 800      | 3 |
L5506 | 4 | 4 MB Intel Smart Cache | DDR3 800      | 3 |
E5507 | 4 | 4 MB Intel Smart Cache | DDR3 800      | 3 |
L5508 | 2 | 8 MB Intel Smart Cache | DDR3 800/1066 | 3 |
L5518 | 4 | 8 MB Intel Smart Cache | DDR3 800/1066 | 3 |
L5530 | 4 | 8 MB Intel Smart Cache | DDR3 800/1066 | 3 |
""",
    "westmere": """
E5603 | 4 | 4 MB Intel Smart Cache  | DDR3 800/1066      | 3 |
E5606 | 4 | 8 MB Intel Smart Cache  | DDR3 800/1066      | 3 |
E5607 | 4 | 8 MB Intel Smart Cache  | DDR3 800/1066      | 3 |
L5609 | 4 | 12 MB Intel Smart Cache | DDR3 800/1066      | 3 |
E5630 | 4 | 12 MB Intel Smart Cache | DDR3 800/1066      | 3 |
L5630 | 4 | 12 MB Intel Smart Cache | DDR3 800/1066      | 3 |
X5647 | 4 | 12 MB Intel Smart Cache | DDR3 800/1066      | 3 |
E5649 | 6 | 12 MB Intel Smart Cache | DDR3 800/1066/1333 | 3 |
X5667 | 4 | 12 MB Intel Smart Cache | DDR3 800/1066/1333 | 3 |
X5672 | 4 | 12 MB Intel Smart Cache | DDR3 800/1066/1333 | 3 |
X5677 | 4 | 12 MB Intel Smart Cache | DDR3 800/1066/1333 | 3 |
X5687 | 4 | 12 MB Intel Smart Cache | DDR3 800/1066/1333 | 3 |
""",
    "skylake": """
Bronze 3104    | 6  | 8.25 MB L3 Cache  | DDR4-2133 | 6 | 2S
Bronze 3106    | 8  | 11 MB L3 Cache    | DDR4-2133 | 6 | 2S
Silver 4108    | 8  | 11 MB L3 Cache    | DDR4-2400 | 6 | 2S
Silver 4109T   | 8  | 11 MB L3 Cache    | DDR4-2400 | 6 | 2S
Silver 4112    | 4  | 8.25 MB L3 Cache  | DDR4-2400 | 6 | 2S
Silver 4114T   | 10 | 13.75 MB L3 Cache | DDR4-2400 | 6 | 2S
Silver 4116    | 12 | 16.5 MB L3 Cache  | DDR4-2400 | 6 | 2S
Silver 4116T   | 12 | 16.5 MB L3 Cache  | DDR4-2400 | 6 | 2S
Gold 5115      | 10 | 13.75 MB L3 Cache | DDR4-2400 | 6 | 4S
Gold 5118      | 12 | 16.5 MB L3 Cache  | DDR4-2400 | 6 | 4S
Gold 5119T     | 14 | 19.25 MB L3 Cache | DDR4-2400 | 6 | 4S
Gold 5120      | 14 | 19.25 MB L3 Cache | DDR4-2400 | 6 | 4S
Gold 5120T     | 14 | 19.25 MB L3 Cache | DDR4-2400 | 6 | 4S
Gold 5122      | 4  | 16.5 MB L3 Cache  | DDR4-2666 | 6 | 4S
Gold 6126F     | 12 | 19.25 MB L3 Cache | DDR4-2666 | 6 | 2S
Gold 6126T     | 12 | 19.25 MB L3 Cache | DDR4-2666 | 6 | S4S
Gold 6128      | 6  | 19.25 MB L3 Cache | DDR4-2666 | 6 | S4S
Gold 6130F     | 16 | 22 MB L3 Cache    | DDR4-2666 | 6 | 2S
Gold 6130T     | 16 | 22 MB L3 Cache    | DDR4-2666 | 6 | S4S
Gold 6132      | 14 | 19.25 MB L3 Cache | DDR4-2666 | 6 | S4S
Gold 6134      | 8  | 24.75 MB L3 Cache | DDR4-2666 | 6 | S4S
Gold 6138      | 20 | 27.5 MB L3 Cache  | DDR4-2666 | 6 | S4S
Gold 6138F     | 20 | 27.5 MB L3 Cache  | DDR4-2666 | 6 | 2S
Gold 6138P     | 20 | 27.5 MB L3 Cache  | DDR4-2666 | 6 | S2S
Gold 6138T     | 20 | 27.5 MB L3 Cache  | DDR4-2666 | 6 | S4S
Gold 6142F     | 16 | 22 MB L3 Cache    | DDR4-2666 | 6 | 2S
Gold 6144      | 8  | 24.75 MB L3 Cache | DDR4-2666 | 6 | S4S
Gold 6146      | 12 | 24.75 MB L3 Cache | DDR4-2666 | 6 | S4S
Gold 6148F     | 20 | 27.5 MB L3 Cache  | DDR4-2666 | 6 | 2S
Platinum 8153  | 16 | 22 MB L3 Cache    | DDR4-2666 | 6 | S8S
Platinum 8156  | 4  | 16.5 MB L3 Cache  | DDR4-2666 | 6 | S8S
Platinum 8158  | 12 | 24.75 MB L3 Cache | DDR4-2666 | 6 | S8S
Platinum 8160F | 24 | 33 MB L3 Cache    | DDR4-2666 | 6 | 2S
Platinum 8160T | 24 | 33 MB L3 Cache    | DDR4-2666 | 6 | S8S
Platinum 8164  | 26 | 35.75 MB L3 Cache | DDR4-2666 | 6 | S8S
Platinum 8170  | 26 | 35.75 MB L3 Cache | DDR4-2666 | 6 | S8S
Platinum 8176  | 28 | 38.5 MB L3 Cache  | DDR4-2666 | 6 | S8S
Platinum 8176F | 28 | 38.5 MB L3 Cache  | DDR4-2666 | 6 | 2S
""",
    "cascade-lake": """
Bronze 3204    | 6  | 8.25 MB  | DDR4-2133 | 6 | 2S
Bronze 3206R   | 8  | 11 MB    | DDR4-2133 | 6 | 2S
Silver 4208    | 8  | 11 MB    | DDR4-2400 | 6 | 2S
Silver 4209T   | 8  | 11 MB    | DDR4-2400 | 6 | 2S
Silver 4210R   | 10 | 13.75 MB | DDR4-2400 | 6 | 2S
Silver 4210T   | 10 | 13.75 MB | DDR4-2400 | 6 | 2S
Silver 4214R   | 12 | 16.5 MB  | DDR4-2400 | 6 | 2S
Silver 4214Y   | 12 | 16.5 MB  | DDR4-2400 | 6 | 2S
Silver 4215    | 8  | 11 MB    | DDR4-2400 | 6 | 2S
Silver 4215R   | 8  | 11 MB    | DDR4-2400 | 6 | 2S
Silver 4216    | 16 | 22 MB    | DDR4-2400 | 6 | 2S
Gold 5215      | 10 | 13.75 MB | DDR4-2667 | 6 | 4S
Gold 5215L     | 10 | 13.75 MB | DDR4-2667 | 6 | 4S
Gold 5217      | 8  | 11 MB    | DDR4-2667 | 6 | 4S
Gold 5218      | 16 | 22 MB    | DDR4-2667 | 6 | 4S
Gold 5218B     | 16 | 22 MB    | DDR4-2667 | 6 | 4S
Gold 5218N     | 16 | 22 MB    | DDR4-2667 | 6 | 4S
Gold 5218R     | 20 | 27.5 MB  | DDR4-2667 | 6 | 2S
Gold 5218T     | 16 | 22 MB    | DDR4-2667 | 6 | 4S
Gold 5220      | 18 | 24.75 MB | DDR4-2667 | 6 | 4S
Gold 5220R     | 24 | 35.75 MB | DDR4-2667 | 6 | 2S
Gold 5220S     | 18 | 24.75 MB | DDR4-2667 | 6 | 4S
Gold 5220T     | 18 | 24.75 MB | DDR4-2667 | 6 | 4S
Gold 5222      | 4  | 16.5 MB  | DDR4-2933 | 6 | 4S
Gold 6208U     | 16 | 22 MB    | DDR4-2933 | 6 | 1S Only
Gold 6209U     | 20 | 27.5 MB  | DDR4-2933 | 6 | 1S Only
Gold 6210U     | 20 | 27.5 MB  | DDR4-2933 | 6 | 1S Only
Gold 6212U     | 24 | 35.75 MB | DDR4-2933 | 6 | 1S Only
Gold 6222V     | 20 | 27.5 MB  | DDR4-2400 | 6 | 4S
Gold 6226      | 12 | 19.25 MB | DDR4-2933 | 6 | 4S
Gold 6226R     | 16 | 22 MB    | DDR4-2933 | 6 | 2S
Gold 6230N     | 20 | 27.5 MB  | DDR4-2933 | 6 | 4S
Gold 6230R     | 26 | 35.75 MB | DDR4-2933 | 6 | 2S
Gold 6230T     | 20 | 27.5 MB  | DDR4-2933 | 6 | 4S
Gold 6234      | 8  | 24.75 MB | DDR4-2933 | 6 | 4S
Gold 6238      | 22 | 30.25 MB | DDR4-2933 | 6 | 4S
Gold 6238L     | 22 | 30.25 MB | DDR4-2933 | 6 | 4S
Gold 6238R     | 28 | 38.5 MB  | DDR4-2933 | 6 | 2S
Gold 6238T     | 22 | 30.25 MB | DDR4-2933 | 6 | 4S
Gold 6240      | 18 | 24.75 MB | DDR4-2933 | 6 | 4S
Gold 6240L     | 18 | 24.75 MB | DDR4-2933 | 6 | 4S
Gold 6240R     | 24 | 35.75 MB | DDR4-2933 | 6 | 2S
Gold 6240Y     | 18 | 24.75 MB | DDR4-2933 | 6 | 4S
Gold 6242R     | 20 | 35.75 MB | DDR4-2933 | 6 | 2S
Gold 6244      | 8  | 24.75 MB | DDR4-2933 | 6 | 4S
Gold 6246      | 12 | 24.75 MB | DDR4-2933 | 6 | 4S
Gold 6246R     | 16 | 35.75 MB | DDR4-2933 | 6 | 2S
Gold 6248R     | 24 | 35.75 MB | DDR4-2933 | 6 | 2S
Gold 6250      | 8  | 35.75 MB | DDR4-2933 | 6 | S4S
Gold 6250L     | 8  | 35.75 MB | DDR4-2933 | 6 | S4S
Gold 6252N     | 24 | 35.75 MB | DDR4-2933 | 6 | 4S
Gold 6254      | 18 | 24.75 MB | DDR4-2933 | 6 | 4S
Gold 6256      | 12 | 33 MB    | DDR4-2933 | 6 | S4S
Gold 6258R     | 28 | 38.5 MB  | DDR4-2933 | 6 | 2S
Gold 6262V     | 24 | 33 MB    | DDR4-2400 | 6 | 4S
Platinum 8253  | 16 | 22 MB    | DDR4-2933 | 6 | S8S
Platinum 8256  | 4  | 16.5 MB  | DDR4-2933 | 6 | S8S
Platinum 8260L | 24 | 35.75 MB | DDR4-2933 | 6 | S8S
Platinum 8260Y | 24 | 35.75 MB | DDR4-2933 | 6 | S8S
Platinum 8268  | 24 | 35.75 MB | DDR4-2933 | 6 | S8S
Platinum 8270  | 26 | 35.75 MB | DDR4-2933 | 6 | S8S
Platinum 8276  | 28 | 38.5 MB  | DDR4-2933 | 6 | S8S
Platinum 8276L | 28 | 38.5 MB  | DDR4-2933 | 6 | S8S
Platinum 8280L | 28 | 38.5 MB  | DDR4-2933 | 6 | S8S
""",
}
"""By the family or line that a model lies within. The scalability of some of the first models is not printed."""
