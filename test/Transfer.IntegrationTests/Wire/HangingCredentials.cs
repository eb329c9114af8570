using Amazon.Runtime;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>A provider that never returns credentials.</summary>
internal sealed class HangingCredentials : AWSCredentials
{
    private int _asked;

    public int Asked => Volatile.Read(ref _asked);

    public override ImmutableCredentials GetCredentials() => throw new NotSupportedException("Transfers use the asynchronous method.");

    public override Task<ImmutableCredentials> GetCredentialsAsync()
    {
        Interlocked.Increment(ref _asked);
        return new TaskCompletionSource<ImmutableCredentials>().Task;
    }
}
