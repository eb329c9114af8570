using Amazon.Runtime;

namespace Transfer.IntegrationTests.Wire;

/// <summary>A provider of credentials that never answers.</summary>
internal sealed class HangingCredentials : AWSCredentials
{
    private int _asked;

    public int Asked => Volatile.Read(ref _asked);

    public override ImmutableCredentials GetCredentials() => throw new NotSupportedException("Transfers ask asynchronously.");

    public override Task<ImmutableCredentials> GetCredentialsAsync()
    {
        Interlocked.Increment(ref _asked);
        return new TaskCompletionSource<ImmutableCredentials>().Task;
    }
}
