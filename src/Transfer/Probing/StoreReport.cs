namespace Transfer.S3;

/// <summary>What a store supports, as the requests of <see cref="TransferClient.ProbeStoreAsync"/> showed.</summary>
/// <example>
/// <code>
/// StoreReport report = await client.ProbeStoreAsync("bucket");
/// foreach (StoreAbility ability in report.Abilities.Where(ability => ability.Support != StoreSupport.Supported))
/// {
///     Console.WriteLine($"{ability.Name}: {ability.Support}. {ability.Detail}");
/// }
/// </code>
/// </example>
public sealed record StoreReport
{
    /// <summary>Gets the name of the store, if its endpoint is known; otherwise, <see langword="null"/>.</summary>
    public string? KnownStore { get; init; }

    /// <summary>Gets the abilities, in the order in which they were probed.</summary>
    public required IReadOnlyList<StoreAbility> Abilities { get; init; }

    /// <summary>Gets the keys of objects and incomplete uploads that could not be removed. It is usually empty.</summary>
    public IReadOnlyList<string> LeftBehind { get; init; } = [];

    /// <summary>
    /// Gets the file in which the result is remembered; <see langword="null"/> if the client has no <see cref="TransferClientOptions.StateDirectory"/>, or if the
    /// file could not be written.
    /// </summary>
    public string? RememberedIn { get; init; }
}
