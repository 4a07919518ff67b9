"""The questions that are asked of the knowledge base, each with a code and a page.

`ties` K01 and K05, `assumed` K01 and K04 of assumptions; `decided` K02 and K03; `unused` K04 and K09;
`statements` K06 and K08; `outcomes` K10; `effects` K11, and K09 of effects; `profiles` K12; `contradictions` K13;
`scopes` K14 and K15; `facts` K16; `evidence` K17, K19, and K09 of sources and figures; `goals` K18; `repeated` K09 of what
a site repeats. `held` has where conditions can be met. K07, structure, is asked where the knowledge base is built. A
finding names its places in the files and, where there is one, a policy that shows it.
"""
