"""Mutation testing: does a test fail when a line of the program is changed?"""
