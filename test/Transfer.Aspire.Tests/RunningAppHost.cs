using System.Net;
using System.Net.Sockets;
using Aspire.Hosting;
using Aspire.Hosting.ApplicationModel;

namespace Transfer.S3.AspireTests;

/// <summary>An AppHost with a store, a process that refers to it, and a store whose port another program has.</summary>
#pragma warning disable CA1001 // xunit disposes it, asynchronously
public sealed class RunningAppHost : IAsyncLifetime
#pragma warning restore CA1001
{
    private readonly TemporaryFolder _folder = new();
    private readonly TcpListener _other = new(IPAddress.Loopback, 0);
    private DistributedApplication _application = null!;

    public S3ServerResource Store { get; private set; } = null!;

    public S3ServerResource Unlucky { get; private set; } = null!;

    /// <summary>Gets the store that only its command starts.</summary>
    public S3ServerResource Later { get; private set; } = null!;

    public ResourceLoggerService Logs => (ResourceLoggerService)_application.Services.GetService(typeof(ResourceLoggerService))!;

    /// <summary>Gets the state that the dashboard shows.</summary>
    public string? State => GetState(Store);

    /// <summary>Gets the faults that the dashboard shows.</summary>
    public string ShownFaults => (string)GetSnapshot(Store).Properties.Single(property => property.Name == "Simulated faults").Value!;

    public async Task InitializeAsync()
    {
        _other.Start();
        IDistributedApplicationBuilder builder = AppHost.CreateBuilder();
        IResourceBuilder<S3ServerResource> store = builder.AddS3Server("store").WithBucket("photos").WithDataFolder(_folder.File("data"));
        Store = store.Resource;
        Unlucky = builder.AddS3Server("unlucky", ((IPEndPoint)_other.LocalEndpoint).Port).Resource;
        Later = builder.AddS3Server("later").WithExplicitStart().Resource;
        if (!OperatingSystem.IsWindows())
        {
            builder.AddExecutable("process", "/bin/sh", ".", "-c", $"env > '{_folder.File("new")}' && mv '{_folder.File("new")}' '{_folder.File("variables")}'").WithReference(store).WithAwsEnvironment(store).WaitFor(store);
        }

        _application = builder.Build();
        await _application.StartAsync().WaitAsync(2 * Deadline.Longest);
        await _application.ResourceNotifications.WaitForResourceHealthyAsync(Store.Name).Within();
    }

    public async Task DisposeAsync()
    {
        await _application.StopAsync().Within();
        await _application.DisposeAsync();
        Assert.Null(Store.Server);
        _other.Dispose();
        _folder.Dispose();
    }

    public string? GetState(S3ServerResource store) => GetSnapshot(store).State?.Text;

    /// <summary>Reads the environment of the process.</summary>
    public async Task<string[]> ReadVariablesAsync()
    {
        await Deadline.Until(() => File.Exists(_folder.File("variables")));
        return await File.ReadAllLinesAsync(_folder.File("variables"));
    }

    /// <summary>Runs a command of the store that must succeed.</summary>
    public async Task RunAsync(string command, params (string Name, string Value)[] arguments)
    {
        ExecuteCommandResult result = await TryRunAsync(command, arguments);
        Assert.True(result.Success, $"{command}: {result.Message}");
    }

    public Task<ExecuteCommandResult> StartAsync(S3ServerResource store) => _application.ResourceCommands.ExecuteCommandAsync(store, KnownResourceCommands.StartCommand).Within();

    public Task<ExecuteCommandResult> TryRunAsync(string command, params (string Name, string Value)[] arguments)
        => _application.ResourceCommands.ExecuteCommandAsync(
            Store, command, new InteractionInputCollection([.. arguments.Select(one => new InteractionInput { Name = one.Name, InputType = InputType.Text, Value = one.Value })])).Within();

    /// <summary>Waits until a store could not start.</summary>
    public async Task<(string? State, string Log)> WaitForFailureAsync(S3ServerResource store)
    {
        string state = await _application.ResourceNotifications.WaitForResourceAsync(store.Name, KnownResourceStates.TerminalStates).Within();
        using CancellationTokenSource limit = new(Deadline.Longest);
        await foreach (IReadOnlyList<LogLine> lines in Logs.WatchAsync(store).WithCancellation(limit.Token))
        {
            return (state, string.Join('\n', lines.Select(line => line.Content)));
        }

        return (state, string.Empty);
    }

    private CustomResourceSnapshot GetSnapshot(S3ServerResource store)
        => _application.ResourceNotifications.TryGetCurrentState(store.Name, out ResourceEvent? current) ? current.Snapshot : throw new InvalidOperationException($"{store.Name} has no state");
}
