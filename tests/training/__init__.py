"""Tests of the offline trainer."""
