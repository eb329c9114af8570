using Amazon.Util.Internal;

namespace Transfer.S3.Cli.Credentials;

/// <summary>A clock for the credentials of the SDK.</summary>
internal sealed class SdkClock(TimeProvider time) : ITimeProvider
{
    public DateTime CorrectedUtcNow => time.GetUtcNow().UtcDateTime;
}
