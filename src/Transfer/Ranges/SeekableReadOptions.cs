namespace Transfer.S3;

/// <summary>The options of a stream that <see cref="ITransferClient.OpenSeekableAsync"/> opens.</summary>
/// <example>
/// <code>
/// SeekableReadOptions options = new() { Open = SeekableOpen.End, MaxReadAheadBytes = 64 * 1024 };
/// await using SeekableObjectStream stream = await client.OpenSeekableAsync("bucket", "table.parquet", options);
/// byte[] tail = new byte[8];
/// await stream.ReadAtAsync(tail, stream.Length - tail.Length);
/// Console.WriteLine($"{stream.BytesReceived:N0} bytes in {stream.Requests:N0} requests");
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

    /// <summary>Gets the maximum number of bytes that are fetched beyond what a read asks for.</summary>
    /// <value>
    /// The default is <see langword="null"/>: how the stream is read decides it. Range: 0 to 256 TiB. With 0, only what is asked for is fetched.
    /// </value>
    /// <remarks>
    /// <para>
    /// Data is fetched and cached in whole chunks (<see cref="AdvancedOptions.ChunkSizeBytes"/>, 64 KiB by default), so a read also fetches the rest of its first and its
    /// last chunk. <see cref="SeekableOpen.End"/> fetches at least one chunk. <see cref="SeekableObjectStream.CopyToAsync(Stream, int, CancellationToken)"/> asks for the rest of the object, which has no
    /// limit.
    /// </para>
    /// <para>
    /// A small limit costs time, because reads in order wait for more requests. If you know what you will read, call
    /// <see cref="SeekableObjectStream.PrefetchAsync"/>, which fetches it in parallel.
    /// </para>
    /// </remarks>
    public long? MaxReadAheadBytes { get; init; }

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
