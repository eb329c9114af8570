namespace Transfer.S3.Tests;

public sealed class RestoreStateTests
{
    private static readonly DateTimeOffset December = new(2012, 12, 21, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Parse_Header_HasTheState()
    {
        Assert.Null(RestoreState.Parse(null));
        Assert.Null(RestoreState.Parse(string.Empty));
        Assert.Equal(new RestoreState { IsInProgress = true }, RestoreState.Parse("ongoing-request=\"true\""));
        Assert.Equal(new RestoreState { IsInProgress = false, Until = December }, RestoreState.Parse("ongoing-request=\"false\", expiry-date=\"Fri, 21 Dec 2012 00:00:00 GMT\""));
        Assert.Equal(new RestoreState { IsInProgress = false }, RestoreState.Parse("ongoing-request=\"false\", expiry-date=\"soon\""));
        Assert.Equal(new RestoreState { IsInProgress = false }, RestoreState.Parse("expiry-date=\"Fri, 21 Dec 2012"));
        Assert.Equal(new RestoreState { IsInProgress = false }, RestoreState.Parse("garbage"));
    }
}
