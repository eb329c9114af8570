namespace Transfer.S3;

/// <summary>The options of a stream that <see cref="ITransferClient.OpenSeekableAsync"/> opens.</summary>
/// <example>
/// <code>
/// SeekableReadOptions options = new() { Open = SeekableOpen.End }; // for formats with an index at the end
/// await using SeekableObjectStream stream = await client.OpenSeekableAsync("bucket", "photos.zip", options);
/// </code>
/// </example>
public sealed record SeekableReadOptions : ObjectReadOptions
{
    /// <summary>Gets what is requested while the stream is opened.</summary>
    /// <value>
    /// The default is <see cref="SeekableOpen.OnDemand"/>: nothing. Errors such as a missing object are thrown by the first call that needs data or the length.
    /// </value>
    /// <remarks>
    /// <see cref="Stream.Length"/> and <see cref="Stream.Seek"/> from the end are synchronous. If the size isn't known yet, they block the thread for one request.
    /// <see cref="SeekableOpen.Start"/> and <see cref="SeekableOpen.End"/> send that request asynchronously. The option has no effect with a <see cref="ObjectReadOptions.Hint"/>.
    /// </remarks>
    public SeekableOpen Open { get; init; }

    /// <summary>Gets the time for which the cached data of the object is kept after its last stream was disposed.</summary>
    /// <value>
    /// The default is <see cref="TimeSpan.Zero"/>: it is released with the last stream. Range: 0 to 1 day. If streams of one object have different values, the
    /// largest one applies.
    /// </value>
    /// <remarks>The cache is part of <see cref="TransferClientOptions.MemoryBytes"/>. It gives up memory as soon as anything else needs it.</remarks>
    public TimeSpan CacheRetention { get; init; }

    /// <summary>Gets a value that indicates whether what is read is compared with checksums of the store where that is possible.</summary>
    /// <value><see langword="true"/> to verify; otherwise, <see langword="false"/>. The default is <see langword="true"/>.</value>
    /// <remarks>
    /// See <see cref="SeekableObjectStream.Verdict"/> for what can be verified. Streams that verify can share the cached data of streams that don't: they compare it
    /// before they return it.
    /// </remarks>
    public bool Verify { get; init; } = true;
}
