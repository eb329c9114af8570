namespace ParseStream;

/// <summary>One line of the object, such as <c>{"station":"station-07","time":"2026-01-01T00:00:00Z","celsius":21.5}</c>.</summary>
internal sealed record Reading(string Station, DateTime Time, double Celsius);
