namespace Transfer.Cli.Rendering;

/// <summary>One failure.</summary>
/// <param name="Key">What it happened to, where it belongs to one key.</param>
/// <param name="Error">What happened, for a person.</param>
/// <param name="RequestId">The id to quote when asking the store's support.</param>
internal sealed record ErrorJson(string? Key, string Error, string? RequestId);
