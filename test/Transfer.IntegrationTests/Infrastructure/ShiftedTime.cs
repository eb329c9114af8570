namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A clock that is wrong by a fixed time.</summary>
internal sealed class ShiftedTime(TimeSpan by) : TimeProvider
{
    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + by;
}
