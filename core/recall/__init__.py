"""The recollect dialogue: from a cue to a past the person recognizes."""
