"""The commands of this program as tools for agents (Model Context Protocol, over stdio)."""
