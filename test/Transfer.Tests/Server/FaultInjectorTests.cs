using Transfer.S3.Server;
using Transfer.S3.Server.Faults;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Tests.Server;

public sealed class FaultInjectorTests
{
    private static readonly RequestTraits Get = new(S3Operation.GetObject, "k", PartNumber: null, HasRange: true, HasBody: false);
    private static readonly RequestTraits Part = new(S3Operation.UploadPart, "k", PartNumber: 2, HasRange: false, HasBody: true);
    private readonly ServerStatistics _statistics = new();

    public static TheoryData<FaultPlan, string> Wrong => new()
    {
        { ByChance(ServerFault.SlowDown, 1.5), "Probabilities[SlowDown] is '1.5'; allowed: 0 to 1" },
        { ByChance(ServerFault.SlowDown, -0.1), "Probabilities[SlowDown] is '-0.1'" },
        { ByChance(ServerFault.SlowDown, double.NaN), "Probabilities[SlowDown] is 'NaN'" },
        { ByChance((ServerFault)999, 0.5), "Probabilities is '999'" },
        { ByChance(ServerFault.FailHandshake, 0.5), "FailHandshake'; allowed: only on a server with a Certificate" },
        { new() { Probabilities = new Dictionary<ServerFault, double> { [ServerFault.SlowDown] = 0.6, [ServerFault.LoseReply] = 0.5 } }, "allowed: at most 1 in total" },
        { new() { Rules = [new((ServerFault)999)] }, "FaultRule.Fault is '999'" },
        { new() { Rules = [new(ServerFault.SlowDown) { Operation = "Nonsense" }] }, "FaultRule.Operation is 'Nonsense'; allowed: the name of an S3 operation" },
        { new() { Rules = [new(ServerFault.SlowDown) { Operation = "3" }] }, "FaultRule.Operation is '3'" },
        { new() { Rules = [new(ServerFault.SlowDown) { PartNumber = 0 }] }, "FaultRule.PartNumber is '0'; allowed: 1 to 10000" },
        { new() { Rules = [new(ServerFault.SlowDown) { PartNumber = 10_001 }] }, "FaultRule.PartNumber is '10001'" },
        { new() { Rules = [new(ServerFault.SlowDown) { After = -1 }] }, "FaultRule.After is '-1'; allowed: 0 or more" },
        { new() { Rules = [new(ServerFault.SlowDown) { Times = 0 }] }, "FaultRule.Times is '0'; allowed: 1 or more, or null" },
        { new() { Rules = [new(ServerFault.RefuseConnection) { Key = "k" }] }, "RefuseConnection'; allowed: only without Operation, Key, and PartNumber" },
        { new() { Rules = [new(ServerFault.FailHandshake)] }, "allowed: only on a server with a Certificate" },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public void Plan_OutOfRange_ErrorNamesValueAndRange(FaultPlan plan, string message) =>
        Assert.Contains(message, Assert.Throws<ArgumentException>(() => FaultCheck.ThrowIfWrong(plan, isHttps: false)).Message, StringComparison.Ordinal);

    [Fact]
    public void Plan_AtItsLimits_IsAccepted() =>
        FaultCheck.ThrowIfWrong(
            new FaultPlan
            {
                Rules = [new(ServerFault.LoseReply) { Operation = "UploadPart", Key = "", PartNumber = 10_000, Times = null }, new(ServerFault.FailHandshake)],
                Probabilities = new Dictionary<ServerFault, double> { [ServerFault.SlowDown] = 0.9, [ServerFault.FailHandshake] = 0.1, [ServerFault.LoseReply] = 0 },
                Seed = int.MinValue,
            },
            isHttps: true);

    [Fact]
    public void Probability_SameSeed_AffectsTheSameRequests()
    {
        FaultPlan plan = new()
        {
            Probabilities = new Dictionary<ServerFault, double> { [ServerFault.SlowDown] = 0.2, [ServerFault.FlipUpload] = 0.3, [ServerFault.RefuseConnection] = 0.1 },
            Seed = 7,
        };
        ServerFault?[] first = Draw(plan);

        Assert.Equal(first, Draw(plan));
        Assert.Equal(first, Draw(plan with { Probabilities = plan.Probabilities.Reverse().ToDictionary() })); // the order of the probabilities doesn't matter
        Assert.NotEqual(first, Draw(plan with { Seed = 8 }));
        Assert.Contains(null, first);
        Assert.InRange(first.Count(static fault => fault == ServerFault.SlowDown), 150, 250);
        Assert.InRange(first.Count(static fault => fault == ServerFault.FlipUpload), 100, 200); // only half of the requests can be affected
        Assert.DoesNotContain(ServerFault.RefuseConnection, first);
    }

    [Fact]
    public void Probability_ZeroAndOne_NeverAndAlways()
    {
        Assert.All(Draw(ByChance(ServerFault.SlowDown, 0)), Assert.Null);
        Assert.All(Draw(ByChance(ServerFault.SlowDown, 1)), static fault => Assert.Equal(ServerFault.SlowDown, fault));
    }

    [Fact]
    public void Rule_AfterAndTimes_AffectsOnlyThoseRequests()
    {
        FaultInjector injector = Create(new FaultRule(ServerFault.SlowDown) { Operation = "UploadPart", Key = "k", PartNumber = 2, After = 2, Times = 2 });

        List<ServerFault?> struck = [];
        for (int i = 0; i < 6; i++)
        {
            Assert.Null(injector.ForRequest(Get));
            Assert.Null(injector.ForRequest(Part with { Key = "other" }));
            Assert.Null(injector.ForRequest(Part with { PartNumber = 1 }));
            struck.Add(injector.ForRequest(Part));
        }

        Assert.Equal([null, null, ServerFault.SlowDown, ServerFault.SlowDown, null, null], struck);
        Assert.Equal(2, _statistics.FaultCount(ServerFault.SlowDown));
        Assert.Equal([new(ServerFault.SlowDown, 2)], _statistics.Faults);
    }

    [Fact]
    public void Rules_FirstMatchingRule_Applies()
    {
        FaultInjector injector = Create(new(ServerFault.FlipUpload), new(ServerFault.SlowDown), new(ServerFault.InternalError) { Times = null });

        Assert.Equal(ServerFault.SlowDown, injector.ForRequest(Get)); // FlipUpload doesn't apply to a GET
        Assert.Equal(ServerFault.FlipUpload, injector.ForRequest(Part));
        Assert.Equal(ServerFault.InternalError, injector.ForRequest(Part));
        Assert.Null(injector.ForConnection());
    }

    [Fact]
    public void Rule_OfConnections_CountsConnections()
    {
        FaultInjector injector = Create(new FaultRule(ServerFault.RefuseConnection) { After = 1 });

        Assert.Null(injector.ForRequest(Get));
        Assert.Equal([null, ServerFault.RefuseConnection, null], Enumerable.Range(0, 3).Select(_ => injector.ForConnection()));
    }

    [Fact]
    public void Reset_StartsCountingAgain()
    {
        Create(new FaultRule(ServerFault.SlowDown)).ForRequest(Get);
        _statistics.Reset();

        Assert.Empty(_statistics.Faults);
        Assert.Equal(0, _statistics.FaultCount((ServerFault)999));
    }

    private static FaultPlan ByChance(ServerFault fault, double probability) =>
        new() { Probabilities = new Dictionary<ServerFault, double> { [fault] = probability } };

    private ServerFault?[] Draw(FaultPlan plan)
    {
        FaultInjector injector = new(plan, _statistics);
        return [.. Enumerable.Range(0, 1000).Select(i => injector.ForRequest(i % 2 == 0 ? Get : Part))];
    }

    private FaultInjector Create(params FaultRule[] rules) => new(new FaultPlan { Rules = rules }, _statistics);
}
