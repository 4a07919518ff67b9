"""Is the standard library right: its checks, its locators, its numbers, and what it advises in every context?"""
