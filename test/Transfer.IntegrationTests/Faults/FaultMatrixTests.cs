using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Faults;

[LongRunning]
public sealed class FaultMatrixTests
{
    public static TheoryData<ServerFault> Faults => [.. Enum.GetValues<ServerFault>()];

    public static TheoryData<ServerFault> FaultsOfConnections => [.. Enum.GetValues<ServerFault>().Where(FaultProxy.CanMake)];

    [Theory]
    [MemberData(nameof(Faults))]
    public Task EveryOperation_HasCorrectBytesOrAClearErrorAndLeavesNothing(ServerFault fault) => FaultMatrix.RunAsync(fault, EmbeddedFaultStage.StartAsync);

    /// <summary>The same beside an idle reader and an incomplete writer, in little memory and in much.</summary>
    [Theory]
    [MemberData(nameof(Faults))]
    public Task EveryOperationBesideOpenStreams_HasCorrectBytesOrAClearErrorAndLeavesNothing(ServerFault fault)
        => FaultMatrix.RunBesideOthersAsync(fault, [FaultStage.Part, null]);

    [MinioTheory]
    [MemberData(nameof(FaultsOfConnections))]
    public Task EveryOperationOnMinio_HasCorrectBytesOrAClearErrorAndLeavesNothing(ServerFault fault) => FaultMatrix.RunAsync(fault, MinioFaultStage.StartAsync);
}
