"""The rules: each public function of a module here is one, judging a whole submission by itself."""
