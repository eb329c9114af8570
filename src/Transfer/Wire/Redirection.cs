namespace Transfer.Wire;

/// <summary>Where a store says that a request belongs.</summary>
/// <param name="Region">The bucket's region; null where the answer names none.</param>
/// <param name="Location">The address to go to; null where the answer names none.</param>
/// <param name="IsLasting">Whether later requests belong there too.</param>
internal sealed record Redirection(string? Region, Uri? Location, bool IsLasting);
