using Amazon.Runtime;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>Credentials that are new each time, and claim to be valid for a long time, or for a time that isn't known.</summary>
internal sealed class CountingCredentials(int last = int.MaxValue, bool tellsExpiration = true) : RefreshingAWSCredentials
{
    private int _made;

    public int Made => Volatile.Read(ref _made);

    protected override CredentialsRefreshState GenerateNewCredentials()
    {
        int number = Interlocked.Increment(ref _made);
        return number > last
            ? throw new AmazonClientException("no more tokens")
            : new CredentialsRefreshState(new ImmutableCredentials($"key-{number}", "secret", $"token-{number}"), tellsExpiration ? new DateTime(2100, 1, 1, 0, 0, 0, DateTimeKind.Utc) : DateTime.MaxValue);
    }

    protected override Task<CredentialsRefreshState> GenerateNewCredentialsAsync() => Task.FromResult(GenerateNewCredentials());
}
