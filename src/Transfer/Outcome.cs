using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>What happened to one name of an operation on many objects, or what would happen.</summary>
/// <example>
/// <code>
/// DirectoryOptions options = new()
/// {
///     OnFailure = FailurePolicy.Continue,
///     ObjectEnded = outcome => Console.WriteLine(outcome.Error is null ? $"{outcome.Source} → {outcome.Target}" : $"{outcome.Name}: {outcome.Error.Message}"),
/// };
/// await client.UploadDirectoryAsync("photos", "bucket", "photos/", options);
/// </code>
/// </example>
public sealed record Outcome
{
    /// <summary>The reason to replace a target of the same size about whose content nothing is known.</summary>
    internal const string NoEvidence = "no evidence";

    /// <summary>Gets how it ended.</summary>
    public required OutcomeStatus Status { get; init; }

    /// <summary>Gets what was done, tried, or planned.</summary>
    /// <value><see langword="null"/> if nothing was decided, as for a name that can't be used or both sides that are the same.</value>
    public ObjectOperation? Operation { get; init; }

    /// <summary>
    /// Gets the path relative to both sides, with <c>/</c> as the separator. The name of a folder ends in <c>/</c>. If a store or a list of keys contains a key that
    /// isn't under the prefix, it is the whole key.
    /// </summary>
    public required string Name { get; init; }

    /// <summary>Gets the size in bytes, as far as it is known: of the source, or of what is deleted. After a transfer, it is the number of bytes that were transferred.</summary>
    public required long Bytes { get; init; }

    /// <summary>Gets the whole address of the source: a path, or <c>s3://bucket/key</c>.</summary>
    /// <value><see langword="null"/> for a deletion, or if the name can't be a file.</value>
    public string? Source => From?.GetAddress(Name);

    /// <summary>Gets the whole address of the target: a path, or <c>s3://bucket/key</c>.</summary>
    /// <value><see langword="null"/> for objects that are only read, or if the name can't be a file.</value>
    public string? Target => To?.GetAddress(Name);

    /// <summary>Gets the version that was deleted; <see langword="null"/> unless <see cref="DeleteDirectoryOptions.Versions"/> is set.</summary>
    public string? VersionId { get; init; }

    /// <summary>Gets why it was decided, such as <c>missing</c>, <c>size 5 → 7</c>, <c>checksum</c>, or <c>no evidence</c>, or how both sides differ.</summary>
    /// <value><see langword="null"/> if there was nothing to decide.</value>
    public string? Reason { get; init; }

    /// <summary>Gets the ETag of the source, with its quotes: as it was read, or as it was listed if nothing was transferred.</summary>
    /// <value><see langword="null"/> for a file, a deletion, or if the store returned none.</value>
    public string? SourceETag { get; init; }

    /// <summary>Gets the ETag that the target had when it was listed, before it was replaced or deleted, with its quotes.</summary>
    /// <value><see langword="null"/> for a file, if there was no target or it wasn't looked at, or if the store listed none.</value>
    public string? TargetETagBefore { get; init; }

    /// <summary>Gets the ETag of the target that was written, with its quotes.</summary>
    /// <value><see langword="null"/> for a file, if nothing was written, or if it isn't known.</value>
    public string? TargetETag { get; init; }

    /// <summary>Gets the result of the verification of the content; <see langword="null"/> if nothing was transferred.</summary>
    public ChecksumVerdict? Verdict { get; init; }

    /// <summary>Gets the properties of the source that the copy doesn't have, as in <see cref="CopyResult.LostProperties"/>.</summary>
    /// <value>The list is empty if everything was kept, and for objects that were not copied from a store to a store.</value>
    public IReadOnlyList<string> LostProperties { get; init; } = [];

    /// <summary>Gets the requests and the content that a planned action takes, by the plan and without failures.</summary>
    /// <value>Zero for everything that isn't planned. The first deletion of a batch has the requests of the batch, and the others have none.</value>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public StoreUsage Usage { get; init; }

    /// <summary>Gets the error; <see langword="null"/> if there was none.</summary>
    [JsonConverter(typeof(ExceptionJsonConverter))]
    public Exception? Error { get; init; }

    /// <summary>Gets the place of the source, which <see cref="Name"/> is relative to; <see langword="null"/> if there is no <see cref="Source"/>.</summary>
    public Place? From { get; init; }

    /// <summary>Gets the place of the target, which <see cref="Name"/> is relative to; <see langword="null"/> if there is no <see cref="Target"/>.</summary>
    public Place? To { get; init; }

    /// <summary>Says that both sides are the same.</summary>
    internal static Outcome Same(string name, long bytes, string reason) => new() { Status = OutcomeStatus.Same, Name = name, Bytes = bytes, Reason = reason };

    /// <summary>Gets the outcome of an operation that has failed.</summary>
    internal Outcome Failed(Exception error) => this with { Status = OutcomeStatus.Failed, Error = error };
}
