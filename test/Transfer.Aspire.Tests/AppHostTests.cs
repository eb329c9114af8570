using System.Diagnostics;
using Aspire.Hosting.ApplicationModel;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Transfer.S3.Server;

namespace Transfer.S3.AspireTests;

/// <summary>A store in an AppHost that runs, and a client of a service that gets its connection string. The AppHost is started once, because its orchestrator takes seconds.</summary>
public sealed class AppHostTests(RunningAppHost host) : IClassFixture<RunningAppHost>
{
    [Fact]
    public async Task Client_OfTheConnection_UploadsAndIsTracedAndMeasured()
    {
        List<Activity> spans = [];
        List<Metric> metrics = [];
        HostApplicationBuilder builder = await AppHost.CreateServiceAsync(host.Store);
        builder.AddTransferClient("store", settings => settings.TraceRequests = true);
        builder.Services.AddOpenTelemetry().WithTracing(tracing => tracing.AddInMemoryExporter(spans)).WithMetrics(meters => meters.AddInMemoryExporter(metrics));
        using IHost service = builder.Build();
        await service.StartAsync().Within();
        byte[] content = Sample.Bytes(100_000);

        await service.Services.GetRequiredService<ITransferClient>().UploadAsync(new MemoryStream(content), "photos", "cat.jpg").Within();
        service.Services.GetRequiredService<TracerProvider>().ForceFlush();
        service.Services.GetRequiredService<MeterProvider>().ForceFlush();

        Assert.Equal(content, await service.Services.GetRequiredService<ITransferClient>().DownloadBytesAsync("photos", "cat.jpg", cancellationToken: default).Within());
        Activity upload = Assert.Single(spans, span => span.Source.Name == TransferClient.ActivitySourceName && span.DisplayName == "upload");
        Assert.Equal("photos", upload.GetTagItem("aws.s3.bucket"));
        Assert.Contains(spans, span => span.Source.Name == TransferClient.RequestActivitySourceName && span.ParentSpanId == upload.SpanId);
        Assert.Contains(metrics, metric => metric.MeterName == TransferClient.MeterName);
        await service.StopAsync().Within();
    }

    [Fact]
    public async Task ProcessWithReference_GetsTheConnectionStringAndTheVariablesOfTheSdk()
    {
        string[] variables = await host.ReadVariablesAsync();

        Assert.Contains($"ConnectionStrings__store={await host.Store.ConnectionStringExpression.GetValueAsync(default)}", variables);
        string endpoint = host.Store.Server!.Endpoint.ToString().TrimEnd('/');
        Assert.Contains($"AWS_ENDPOINT_URL_S3={endpoint}", variables);
        Assert.Contains("AWS_ACCESS_KEY_ID=transfer", variables);
        Assert.Contains("AWS_SECRET_ACCESS_KEY=transfer-secret", variables);
        Assert.Contains("AWS_REGION=us-east-1", variables);
        Assert.Contains($"STORE_ENDPOINT={endpoint}", variables);
    }

    [Fact]
    public async Task Fault_OfACommand_MakesTheClientUnhealthyUntilItIsCleared()
    {
        HostApplicationBuilder builder = await AppHost.CreateServiceAsync(host.Store);
        builder.AddTransferClient("store", settings => settings.HealthCheckBucket = "photos");
        using IHost service = builder.Build();
        HealthCheckService health = service.Services.GetRequiredService<HealthCheckService>();
        Assert.Equal(HealthStatus.Healthy, (await health.CheckHealthAsync().Within()).Status);

        await host.RunAsync(S3ServerCommands.SimulateThrottling);
        HealthReport throttled = await health.CheckHealthAsync().Within();
        string simulated = host.ShownFaults;
        await host.RunAsync(S3ServerCommands.ClearFaults);

        Assert.Equal(HealthStatus.Unhealthy, throttled.Status);
        Assert.Contains("SlowDown", throttled.Entries["Transfer.S3"].Description, StringComparison.Ordinal);
        Assert.Equal("SlowDown, 100 % of requests", simulated);
        Assert.Equal("None", host.ShownFaults);
        Assert.Equal(HealthStatus.Healthy, (await health.CheckHealthAsync().Within()).Status);
    }

    [Fact]
    public async Task SlowResponses_OfACommand_DelayUntilTheyAreCleared()
    {
        await host.RunAsync(S3ServerCommands.SimulateSlowResponses);
        TimeSpan delay = host.Store.Server!.FirstByteDelay;
        await host.RunAsync(S3ServerCommands.ClearFaults);

        Assert.Equal(TimeSpan.FromSeconds(2), delay);
        Assert.Equal(TimeSpan.Zero, host.Store.Server!.FirstByteDelay);
    }

    [Theory]
    [InlineData(S3ServerCommands.SimulateErrors, ServerFault.InternalError)]
    [InlineData(S3ServerCommands.SimulateBrokenConnections, ServerFault.ResetBeforeHeaders)]
    [InlineData(S3ServerCommands.SimulateExpiredCredentials, ServerFault.ExpireToken)]
    public async Task Click_SimulatesItsFault(string command, ServerFault fault)
    {
        HostApplicationBuilder builder = await AppHost.CreateServiceAsync(host.Store);
        builder.AddTransferClient("store", configureOptions: options => options.MaxAttempts = 1);
        using IHost service = builder.Build();
        long before = host.Store.Server!.Statistics.FaultCount(fault);

        await host.RunAsync(command);
        await Assert.ThrowsAsync<TransferException>(() => service.Services.GetRequiredService<ITransferClient>().GetInfoAsync("photos", "none")).Within();
        await host.RunAsync(S3ServerCommands.ClearFaults);

        Assert.True(host.Store.Server!.Statistics.FaultCount(fault) > before);
    }

    [Fact]
    public async Task AnyFault_HasArguments()
    {
        await host.RunAsync(S3ServerCommands.SimulateFault, ("fault", "TooManyRequests"), ("percent", "25"));
        string simulated = host.ShownFaults;
        await host.RunAsync(S3ServerCommands.ClearFaults);

        Assert.Equal("TooManyRequests, 25 % of requests", simulated);
    }

    [Theory]
    [InlineData("NoFault", "10")]
    [InlineData("SlowDown", "0")]
    [InlineData("SlowDown", "101")]
    public async Task AnyFault_WithWrongArguments_Fails(string fault, string percent)
    {
        ExecuteCommandResult result = await host.TryRunAsync(S3ServerCommands.SimulateFault, ("fault", fault), ("percent", percent));

        Assert.False(result.Success);
        Assert.Equal("None", host.ShownFaults);
    }

    /// <summary>The address stays, because services have it, and so do the objects of a data folder.</summary>
    [Fact]
    public async Task Restart_KeepsAddressAndData()
    {
        await using TransferClient client = new(host.Store.Server!.CreateClient());
        await client.UploadAsync(new byte[10], "photos", "kept").Within();
        Uri endpoint = host.Store.Server!.Endpoint;

        await host.RunAsync(KnownResourceCommands.StopCommand);
        Assert.Null(host.Store.Server);
        Assert.Equal(KnownResourceStates.Exited, host.State);
        Assert.False((await host.TryRunAsync(S3ServerCommands.SimulateErrors)).Success);
        await host.RunAsync(KnownResourceCommands.StartCommand);

        Assert.Equal(KnownResourceStates.Running, host.State);
        Assert.Equal(endpoint, host.Store.Server!.Endpoint);
        Assert.Equal(10, (await client.GetInfoAsync("photos", "kept").Within()).Length);
    }

    [Fact]
    public async Task ExplicitStart_StartsByItsCommand()
    {
        Assert.Equal(KnownResourceStates.NotStarted, host.GetState(host.Later));

        ExecuteCommandResult result = await host.StartAsync(host.Later);

        Assert.True(result.Success, result.Message);
        Assert.Equal(KnownResourceStates.Running, host.GetState(host.Later));
    }

    [Fact]
    public async Task Log_HasTheRequests()
    {
        using var s3 = host.Store.Server!.CreateClient();
        await s3.ListBucketsAsync().Within();

        using CancellationTokenSource limit = new(Deadline.Longest);
        await foreach (IReadOnlyList<LogLine> lines in host.Logs.WatchAsync(host.Store).WithCancellation(limit.Token))
        {
            if (lines.Any(line => line.Content.Contains("ListBuckets GET", StringComparison.Ordinal)))
            {
                return;
            }
        }

        Assert.Fail("The log has no request.");
    }

    [Fact]
    public async Task Port_InUse_FailsToStartWithItsLog()
    {
        (string? state, string log) = await host.WaitForFailureAsync(host.Unlucky);

        Assert.Equal(KnownResourceStates.FailedToStart, state);
        Assert.Contains("could not start", log, StringComparison.Ordinal);
    }
}
