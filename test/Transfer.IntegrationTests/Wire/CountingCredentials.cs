using Amazon.Runtime;

namespace Transfer.IntegrationTests.Wire;

/// <summary>Credentials that are new each time, and claim to be valid for a long time.</summary>
internal sealed class CountingCredentials(int last = int.MaxValue) : RefreshingAWSCredentials
{
    private int _made;

    public int Made => Volatile.Read(ref _made);

    protected override CredentialsRefreshState GenerateNewCredentials()
    {
        int number = Interlocked.Increment(ref _made);
        return number > last
            ? throw new AmazonClientException("no more tokens")
            : new CredentialsRefreshState(new ImmutableCredentials($"key-{number}", "secret", $"token-{number}"), new DateTime(2100, 1, 1, 0, 0, 0, DateTimeKind.Utc));
    }

    protected override Task<CredentialsRefreshState> GenerateNewCredentialsAsync() => Task.FromResult(GenerateNewCredentials());
}
