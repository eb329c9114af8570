using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Probing;

/// <summary>Finds out what a store supports, with objects of its own, which it removes. Transfers of the client use the result.</summary>
internal static class StoreProber
{
    private static readonly IReadOnlyList<Probe> Probes =
    [
        .. WriteProbes.All, .. ReadProbes.All, .. ChecksumProbes.All, .. MultipartProbes.All, .. CopyProbes.All, PartReuseProbe.PartReuse, .. ListProbes.All, .. DeleteProbes.All,
    ];

    /// <summary>What the wire learns from the requests of the probes, and remembers for a few minutes only.</summary>
    private static readonly StoreTrait[] LearnedByWire = [StoreTrait.UnsignedBodies, StoreTrait.ChecksumMode];

    /// <param name="run">The call.</param>
    /// <param name="bucket">The bucket.</param>
    /// <param name="prefix">The prefix under which objects may be created.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests. Objects are removed even if it is canceled.</param>
    /// <exception cref="TransferException">Thrown when no object can be created.</exception>
    public static async Task<StoreReport> RunAsync(TransferRun run, string bucket, string prefix, CancellationToken cancellationToken)
    {
        string folder = prefix.Length == 0 || prefix.EndsWith('/') ? prefix : prefix + "/";
        ProbeArea area = new(run, bucket, $"{folder}transfer-probe-{Guid.NewGuid():N}/");
        List<(Probe Probe, Finding Finding)> results = [];
        IReadOnlyList<string> left = [];
        try
        {
            await CheckAccessAsync(area, cancellationToken).ConfigureAwait(false);
            foreach (Probe probe in Probes)
            {
                results.Add((probe, await FindAsync(probe, results, area, cancellationToken).ConfigureAwait(false)));
            }
        }
        finally
        {
            left = await area.RemoveAsync().ConfigureAwait(false);
        }

        Teach(run.Client.Profile, bucket, results);
        return new StoreReport
        {
            KnownStore = run.Client.Profile.KnownStore?.Name,
            Abilities = [.. results.Select(static one => ToAbility(one.Probe, one.Finding))],
            LeftBehind = left,
            RememberedIn = StoreMemory.Save(run.Client.Settings.StateDirectory, run.Client.Store, run.Client.Profile.Facts, run.Client.Time),
        };
    }

    /// <summary>Creates the first object. If that fails, nothing can be said about the store.</summary>
    private static async Task CheckAccessAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        try
        {
            await area.PutAsync("first", cancellationToken: cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            throw Failures.Create(area.At("first"), "create an object to probe the store", null, e);
        }
    }

    private static async Task<Finding> FindAsync(Probe probe, List<(Probe Probe, Finding Finding)> results, ProbeArea area, CancellationToken cancellationToken)
    {
        if (Array.Find(probe.Requires, name => results.Find(one => one.Probe.Name == name).Finding.Support is not StoreSupport.Supported) is { } required)
        {
            return Finding.Unknown($"it requires {required}");
        }

        try
        {
            return await probe.RunAsync(area, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            return Finding.Unknown(e.Message);
        }
    }

    private static void Teach(StoreProfile profile, string bucket, List<(Probe Probe, Finding Finding)> results)
    {
        foreach ((Probe probe, Finding finding) in results)
        {
            if (probe.Trait is { } trait && finding.Support != StoreSupport.Unknown)
            {
                StoreSupport support = probe.RefusedIfIgnored && finding.Support == StoreSupport.Ignored ? StoreSupport.Refused : finding.Support;
                profile.Teach(new StoreFact(trait, probe.IsOfEveryBucket ? StoreProfile.EveryBucket : bucket, support, finding.Detail, StoreMemory.Lifetime));
            }
        }

        foreach (StoreFact learned in profile.Facts.Where(static fact => LearnedByWire.Contains(fact.Trait)))
        {
            profile.Teach(learned with { Left = StoreMemory.Lifetime });
        }
    }

    private static StoreAbility ToAbility(Probe probe, Finding finding)
        => new() { Name = probe.Name, Description = probe.Description, Support = finding.Support, Detail = finding.Detail };
}
