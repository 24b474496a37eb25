"""The screens of the app, one class a file."""
