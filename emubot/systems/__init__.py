"""What differs between Linux, macOS and Windows; no other room asks which system it runs on.

Each module has one subject, and each function asks for the system when it is called. So one test can run all branches.
"""
