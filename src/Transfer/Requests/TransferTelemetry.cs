namespace Transfer.S3;

/// <summary>Provides the names under which the library reports metrics and traces.</summary>
/// <remarks>
/// <para>
/// The names of metrics and attributes follow OpenTelemetry's semantic conventions, and units are UCUM units. Attributes of metrics never contain a bucket or a key. Spans name the
/// bucket and the key as <c>aws.s3.bucket</c> and <c>aws.s3.key</c>.
/// </para>
/// <para>If nothing listens, nothing is measured.</para>
/// </remarks>
public static class TransferTelemetry
{
    /// <summary>The name of the <see cref="System.Diagnostics.Metrics.Meter"/>.</summary>
    public const string MeterName = "Transfer.S3";

    /// <summary>The name of the <see cref="System.Diagnostics.ActivitySource"/> of transfers, with one span for each transfer. A transfer of a directory is one span.</summary>
    public const string ActivitySourceName = "Transfer.S3";

    /// <summary>
    /// The name of the <see cref="System.Diagnostics.ActivitySource"/> of requests, with one span for each attempt of a request. They are the children of the transfer's span. A large
    /// object has thousands of them, so listen to this source only if you need them.
    /// </summary>
    public const string RequestActivitySourceName = "Transfer.S3.Requests";
}
