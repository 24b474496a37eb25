"""The widgets of the app, one class a file."""
