using Transfer.S3.Benchmarks.Compare;

namespace Transfer.S3.Tests.Benchmarks;

public sealed class PeerCountersTests
{
    [Fact]
    public void Parse_Statistics_SumsRequestsOfAllOperations()
    {
        PeerCounters counters = PeerCounters.Parse("""{"GetObject":42,"HeadObject":1,"bytes_in":7,"bytes_out":268435456,"conns":3,"objects":1,"peak_conns":14}""");

        Assert.Equal(new PeerCounters(Sent: 268435456, Received: 7, Requests: 43), counters);
    }
}
